! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: a session, process sets by name, a communicator from a group; no MPI_Init.
module handlers
  use mpi_f08
  implicit none
  integer :: errors = 0
contains
  subroutine on_error(session, error_code)
    type(MPI_Session) :: session
    integer :: error_code
    if (session /= MPI_SESSION_NULL .and. error_code /= MPI_SUCCESS) errors = errors + 1
  end subroutine
end module

program sessions
  use checks
  use handlers
  implicit none
  integer :: n, i, rank, size, length, whole, total, ierror
  logical :: world
  character(len=40) :: name
  character(len=4) :: short
  type(MPI_Session) :: session
  type(MPI_Group) :: group
  type(MPI_Comm) :: comm
  type(MPI_Errhandler) :: handler

  call MPI_Session_create_errhandler(on_error, handler)
  call MPI_Session_init(MPI_INFO_NULL, handler, session)
  call MPI_Errhandler_free(handler)
  call check(session /= MPI_SESSION_NULL, 'session_init')
  call MPI_Session_get_num_psets(session, MPI_INFO_NULL, n)
  call check(n >= 2, 'process sets')
  world = .false.
  do i = 0, n - 1
    whole = 0
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, whole, name)
    length = len(name)
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, length, name)
    call check(length == len_trim(name) .and. whole == length, 'length of the name of a process set')
    world = world .or. name == 'mpi://WORLD'
  end do
  call check(world, 'the world is a process set')
  length = len(short)
  call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, short)
  call check(short == name(1:4) .and. length > 4, 'a name that is cut')
  call MPI_Group_from_session_pset(session, 'mpi://NOWHERE', group, ierror)
  call check(ierror /= MPI_SUCCESS .and. errors == 1, 'no such process set')
  call MPI_Group_from_session_pset(session, 'mpi://WORLD  ', group)
  call MPI_Comm_create_from_group(group, 'org.example.test', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm)
  call MPI_Group_free(group)
  call MPI_Comm_rank(comm, rank)
  call MPI_Comm_size(comm, size)
  call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, comm)
  call check(total == size, 'allreduce')
  call MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, comm)
  call MPI_Comm_free(comm)
  call MPI_Session_finalize(session)
  call close_checks(rank, counts)
end program
