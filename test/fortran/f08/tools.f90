! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: a tool in Fortran has its own specific procedures, without a buffer and with one, and calls the library's by PMPI names.
module tool
  implicit none
  integer :: barriers = 0, sent = 0
end module

subroutine MPI_Barrier_f08(comm, ierror)
  use tool
  use mpi_f08, only: MPI_Comm, PMPI_Barrier
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  barriers = barriers + 1
  call PMPI_Barrier(comm, ierror)
end subroutine

subroutine send_seen(buf, count, datatype, dest, tag, comm, ierror) bind(C, name="MPI_Send_f08ts")
  use tool
  use mpi_f08, only: MPI_Comm, MPI_Datatype, PMPI_Send
  implicit none
  type(*), dimension(..), intent(in) :: buf
  integer, intent(in) :: count, dest, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  sent = sent + count
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine

program tools
  use checks
  use tool
  use mpi_f08
  implicit none
  integer :: rank, size, ierror, a(8), got(4)
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call PMPI_Barrier(MPI_COMM_WORLD)
  call check(barriers == 2 .and. ierror == MPI_SUCCESS, 'the tool saw two barriers')
  a = [1, 2, 3, 4, 5, 6, 7, 8]
  call MPI_Irecv(got, 4, MPI_INTEGER, rank, 0, MPI_COMM_WORLD, request)
  call MPI_Send(a(2:8:2), 4, MPI_INTEGER, rank, 0, MPI_COMM_WORLD)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_F_sync_reg(got)
  call check(sent == 4 .and. all(got == [2, 4, 6, 8]), 'the tool passed a section on')
  call MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call close_checks(rank, counts)
  call MPI_Finalize()
end program
