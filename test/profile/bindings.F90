! SPDX-License-Identifier: BSD-3-Clause
! Calls MPI_Allreduce 7 times in one of the bindings, and PMPI_Allreduce twice, which no tool is to see.
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
  integer :: mine(4), sum(4)
  call MPI_Init(ierror)
  mine = 1
  do i = 1, 7
    call MPI_Allreduce(mine, sum, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  do i = 1, 2
    call PMPI_Allreduce(mine, sum, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
end program bindings
