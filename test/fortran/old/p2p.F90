! SPDX-License-Identifier: BSD-3-Clause
! Point-to-point: blocking, non-blocking and persistent; statuses; indices that count from one.
#include "use.inc"
program p2p
  use checks
  USE_MPI
  implicit none
  DECLARE_MPI
  integer, parameter :: n = 5000
  integer :: rank, size, ierr, next, before, i, count, index, outcount, request(3), status(MPI_STATUS_SIZE)
  integer :: statuses(MPI_STATUS_SIZE, 2), indices(3), bufsize
  logical :: flag, seen(2)
  integer :: one, numbers(n), got(n)
  double precision :: x(4), y(4)
  character(len=12) :: word
  character :: room(n * 4 + 2000)

  call MPI_INIT(ierr)
  call check(ierr == MPI_SUCCESS, 'MPI_INIT')
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)

  x = rank + 0.5d0
  call MPI_SENDRECV(x, 4, MPI_DOUBLE_PRECISION, next, 7, y, 4, MPI_DOUBLE_PRECISION, before, 7, MPI_COMM_WORLD, status, ierr)
  call check(all(y == before + 0.5d0), 'sendrecv')
  call check(status(MPI_SOURCE) == before .and. status(MPI_TAG) == 7, 'status of sendrecv')
  call MPI_GET_COUNT(status, MPI_DOUBLE_PRECISION, count, ierr)
  call check(count == 4, 'count')
  call MPI_SENDRECV_REPLACE(x, 4, MPI_DOUBLE_PRECISION, next, 8, before, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(x == y), 'sendrecv_replace, status ignored')

  numbers = (/(rank * n + i, i = 1, n)/)
  call MPI_IRECV(got, n, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request(1), ierr)
  call MPI_ISEND(numbers, n, MPI_INTEGER, next, 9, MPI_COMM_WORLD, request(2), ierr)
  call MPI_WAITALL(2, request, statuses, ierr)
  call check(all(got == (/(before * n + i, i = 1, n)/)), 'isend, irecv')
  call check(statuses(MPI_SOURCE, 1) == before .and. statuses(MPI_TAG, 1) == 9, 'statuses of waitall')
  call check(request(1) == MPI_REQUEST_NULL .and. request(2) == MPI_REQUEST_NULL, 'requests are gone')

  word = 'fortran'
  call MPI_IRECV(word, 12, MPI_CHARACTER, before, 1, MPI_COMM_WORLD, request(2), ierr)
  call MPI_SEND('hello, world', 12, MPI_CHARACTER, next, 1, MPI_COMM_WORLD, ierr)
  request(1) = MPI_REQUEST_NULL
  call MPI_WAITANY(2, request, index, status, ierr)
  call check(index == 2 .and. word == 'hello, world', 'waitany counts from one')

  call MPI_IRECV(got(1), 1, MPI_INTEGER, before, 1, MPI_COMM_WORLD, request(1), ierr)
  call MPI_IRECV(got(2), 1, MPI_INTEGER, before, 2, MPI_COMM_WORLD, request(2), ierr)
  call MPI_SSEND(rank + 100, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierr)
  call MPI_SEND(rank + 100, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, ierr)
  call MPI_SEND(rank + 200, 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, ierr)
  seen = .false.
  do while (.not. all(seen))
    call MPI_WAITSOME(2, request, outcount, indices, MPI_STATUSES_IGNORE, ierr)
    do i = 1, outcount
      seen(indices(i)) = .true.
    end do
  end do
  call check(got(1) == before + 100 .and. got(2) == before + 200, 'waitsome counts from one')

  bufsize = 4 * n + MPI_BSEND_OVERHEAD
  call MPI_BUFFER_ATTACH(room, bufsize, ierr)
  call MPI_BSEND(numbers, n, MPI_INTEGER, next, 3, MPI_COMM_WORLD, ierr)
  call MPI_PROBE(before, 3, MPI_COMM_WORLD, status, ierr)
  call MPI_GET_COUNT(status, MPI_INTEGER, count, ierr)
  call check(count == n, 'probe')
  call MPI_RECV(got, n, MPI_INTEGER, before, 3, MPI_COMM_WORLD, status, ierr)
  call check(got(n) == (before + 1) * n, 'bsend')
  count = 0
  call MPI_BUFFER_DETACH(room, count, ierr)
  call check(count == bufsize, 'size of the detached buffer')

  call MPI_SEND_INIT(one, 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD, request(1), ierr)
  call MPI_RECV_INIT(count, 1, MPI_INTEGER, before, 4, MPI_COMM_WORLD, request(2), ierr)
  do i = 1, 3
    one = 10 * rank + i
    call MPI_STARTALL(2, request, ierr)
    call MPI_WAITALL(2, request, MPI_STATUSES_IGNORE, ierr)
    call touch(count)
    call check(count == 10 * before + i, 'persistent')
  end do
  call MPI_REQUEST_FREE(request(1), ierr)
  call MPI_REQUEST_FREE(request(2), ierr)

  call MPI_IRECV(one, 1, MPI_INTEGER, before, 99, MPI_COMM_WORLD, request(1), ierr)
  call MPI_CANCEL(request(1), ierr)
  call MPI_WAIT(request(1), status, ierr)
  call MPI_TEST_CANCELLED(status, flag, ierr)
  call check(flag, 'cancelled')

  call MPI_ALLREDUCE(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call close_checks(rank, counts)
  call MPI_FINALIZE(ierr)
end program
