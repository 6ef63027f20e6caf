! SPDX-License-Identifier: BSD-3-Clause
! One-sided communication: fences, locks, accumulation, attributes of a window.
#include "use.inc"
program rma
  use checks
  USE_MPI
  implicit none
  DECLARE_MPI
  integer, parameter :: n = 10
  integer :: rank, size, ierr, win, next, i, before, old
  integer :: memory(n), mine(n)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, attribute, place
  logical :: flag

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)

  memory = -1
  bytes = 4 * n
  call MPI_WIN_CREATE(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  mine = (/(100 * rank + i, i = 1, n)/)
  call MPI_PUT(mine, n / 2, MPI_INTEGER, next, 5_MPI_ADDRESS_KIND, n / 2, MPI_INTEGER, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  call touch(memory)
  call check(all(memory(1:5) == -1) .and. all(memory(6:10) == (/(100 * before + i, i = 1, 5)/)), 'put')
  mine = 0
  call MPI_GET(mine, n, MPI_INTEGER, rank, 0_MPI_ADDRESS_KIND, n, MPI_INTEGER, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  call check(all(mine == memory), 'get')
  memory = 0
  call MPI_WIN_FENCE(0, win, ierr)
  call MPI_ACCUMULATE(rank + 1, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  call touch(memory)
  if (rank == 0) call check(memory(1) == size * (size + 1) / 2, 'accumulate')
  call MPI_WIN_LOCK(MPI_LOCK_SHARED, 0, 0, win, ierr)
  call MPI_FETCH_AND_OP(1, old, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, MPI_SUM, win, ierr)
  call MPI_WIN_UNLOCK(0, win, ierr)
  call check(old >= 0 .and. old < size, 'fetch_and_op')
  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
  call MPI_WIN_LOCK(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr)
  call MPI_GET(old, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_WIN_UNLOCK(0, win, ierr)
  call touch(old)
  call check(old == size, 'sum of fetch_and_op')

  call MPI_WIN_GET_ATTR(win, MPI_WIN_SIZE, attribute, flag, ierr)
  call check(flag .and. attribute == bytes, 'MPI_WIN_SIZE')
  call MPI_WIN_GET_ATTR(win, MPI_WIN_DISP_UNIT, attribute, flag, ierr)
  call check(flag .and. attribute == 4, 'MPI_WIN_DISP_UNIT')
  call MPI_GET_ADDRESS(memory, place, ierr)
  call MPI_WIN_GET_ATTR(win, MPI_WIN_BASE, attribute, flag, ierr)
  call check(flag .and. attribute == place, 'MPI_WIN_BASE')
  call MPI_WIN_GET_ATTR(win, MPI_WIN_CREATE_FLAVOR, attribute, flag, ierr)
  call check(flag .and. attribute == MPI_WIN_FLAVOR_CREATE, 'MPI_WIN_CREATE_FLAVOR')
  call MPI_WIN_FREE(win, ierr)
  call check(win == MPI_WIN_NULL, 'win_free')

  call MPI_WIN_ALLOCATE(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, place, win, ierr)
  call check(place /= 0, 'win_allocate')
  call MPI_WIN_FREE(win, ierr)

  call MPI_ALLREDUCE(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call close_checks(rank, counts)
  call MPI_FINALIZE(ierr)
end program
