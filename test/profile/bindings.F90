! SPDX-License-Identifier: BSD-3-Clause
! Calls MPI_Allreduce 7 times in one of the bindings, and PMPI_Allreduce twice, which no tool is to see. The same for a keyval, whose
! procedures both layers keep: made by either, it is known to both.
program bindings
#if defined(WITH_F08)
  use mpi_f08
#elif defined(WITH_MPIF)
  implicit none
  include 'mpif.h'
#else
  use mpi
#endif
#if !defined(WITH_MPIF)
  implicit none
#endif
  integer :: i, ierror
  integer :: mine(4), sum(4), keys(2)
  integer(kind=MPI_ADDRESS_KIND) :: extra, found
  logical :: flag
  call MPI_Init(ierror)
  mine = 1
  do i = 1, 7
    call MPI_Allreduce(mine, sum, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  do i = 1, 2
    call PMPI_Allreduce(mine, sum, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  extra = 0
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keys(1), extra, ierror)
  call PMPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keys(2), extra, ierror)
  do i = 1, 2
    extra = 10 * i
    call MPI_Comm_set_attr(MPI_COMM_WORLD, keys(i), extra, ierror)
    call PMPI_Comm_get_attr(MPI_COMM_WORLD, keys(i), found, flag, ierror)
    if (.not. flag .or. found /= extra) call MPI_Abort(MPI_COMM_WORLD, 9, ierror)
    call PMPI_Comm_delete_attr(MPI_COMM_WORLD, keys(i), ierror)
    call PMPI_Comm_free_keyval(keys(i), ierror)
  end do
  call MPI_Finalize(ierror)
end program bindings
