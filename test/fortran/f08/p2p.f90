! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: point-to-point with handles of types, without ierror, with TYPE(MPI_Status), and large counts by overloading.
program p2p
  use checks
  use mpi_f08
  implicit none
  integer, parameter :: n = 4000
  integer :: rank, size, next, before, i, count, index, outcount, indices(2), f_status(MPI_STATUS_SIZE), ierror
  integer(kind=MPI_COUNT_KIND) :: large
  type(MPI_Request) :: request(2)
  type(MPI_Status) :: status, statuses(2), copy
  type(MPI_Message) :: message
  type(MPI_Comm) :: comm
  integer, asynchronous :: numbers(n), got(n)
  logical :: flag, seen(2)
  character(len=5) :: word
  real(8) :: x(3)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  call check(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'what is supported')

  numbers = [(rank * n + i, i = 1, n)]
  call MPI_Irecv(got, n, MPI_INTEGER, before, 3, MPI_COMM_WORLD, request(1))
  call MPI_Isend(numbers, n, MPI_INTEGER, next, 3, MPI_COMM_WORLD, request(2))
  call MPI_Waitall(2, request, statuses)
  call check(all(got == [(before * n + i, i = 1, n)]), 'isend, irecv')
  call check(statuses(1)%MPI_SOURCE == before .and. statuses(1)%MPI_TAG == 3, 'statuses')
  call check(request(1) == MPI_REQUEST_NULL .and. .not. request(2) /= MPI_REQUEST_NULL, 'requests compare')
  call MPI_Get_count(statuses(1), MPI_INTEGER, count)
  call MPI_Get_count(statuses(1), MPI_INTEGER, large)
  call check(count == n .and. large == n, 'counts, small and large')

  call MPI_Status_f082f(statuses(1), f_status)
  call check(f_status(MPI_SOURCE) == before .and. f_status(MPI_TAG) == 3, 'status to array')
  call MPI_Status_f2f08(f_status, copy)
  call check(copy%MPI_SOURCE == before .and. copy%MPI_TAG == 3, 'array to status')

  large = 3
  x = [1d0, 2d0, rank + 3d0]
  call MPI_Sendrecv_replace(x, large, MPI_DOUBLE_PRECISION, next, 1, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call check(ierror == MPI_SUCCESS .and. x(3) == before + 3d0, 'large count, status ignored')
  call MPI_Send(numbers(1:7), 7_MPI_COUNT_KIND, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD)

  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call check(comm /= MPI_COMM_WORLD .and. comm /= MPI_COMM_NULL, 'handles compare')
  call MPI_Isend('howdy', 5, MPI_CHARACTER, next, 9, comm, request(1))
  call MPI_Mprobe(before, MPI_ANY_TAG, comm, message, status)
  call MPI_Mrecv(word, 5, MPI_CHARACTER, message, status)
  call check(word == 'howdy' .and. status%MPI_TAG == 9 .and. message == MPI_MESSAGE_NULL, 'matched receive')
  request(2) = request(1)
  request(1) = MPI_REQUEST_NULL
  call MPI_Waitany(2, request, index, MPI_STATUS_IGNORE)
  call check(index == 2, 'waitany counts from one')
  call MPI_Waitany(2, request, index, MPI_STATUS_IGNORE)
  call check(index == MPI_UNDEFINED, 'waitany of nothing')
  call MPI_Testany(2, request, index, flag, MPI_STATUS_IGNORE)
  call check(flag .and. index == MPI_UNDEFINED, 'testany of nothing')
  call MPI_Comm_free(comm)
  call check(comm == MPI_COMM_NULL, 'comm_free')

  call MPI_Irecv(got(1), 1, MPI_INTEGER, before, 1, MPI_COMM_WORLD, request(1))
  call MPI_Irecv(got(2), 1, MPI_INTEGER, before, 2, MPI_COMM_WORLD, request(2))
  call MPI_Send(numbers(1), 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD)
  call MPI_Send(numbers(2), 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD)
  seen = .false.
  do while (.not. all(seen))
    call MPI_Testsome(2, request, outcount, indices, MPI_STATUSES_IGNORE)
    do i = 1, outcount
      seen(indices(i)) = .true.
    end do
  end do
  call MPI_F_sync_reg(got)
  call check(got(1) == before * n + 1 .and. got(2) == before * n + 2, 'testsome')
  call MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE)
  call check(.not. flag, 'iprobe')
  call MPI_Testall(2, request, flag, MPI_STATUSES_IGNORE)
  call check(flag, 'testall')

  call MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call close_checks(rank, counts)
  call MPI_Finalize()
end program
