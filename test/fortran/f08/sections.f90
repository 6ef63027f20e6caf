! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: array sections with gaps as buffers, blocking and not, point-to-point, collective, one-sided, persistent.
program sections
  use checks
  use mpi_f08
  implicit none
  integer :: rank, size, next, before, i, j, k, shift
  type(MPI_Request) :: request(2)
  type(MPI_Status) :: status
  type(MPI_Win) :: win
  type(MPI_Datatype) :: pair
  integer, asynchronous :: a(10, 8), b(10, 8), line(20), other(20), cube(4, 5, 6), hole(4, 5, 6)
  integer, asynchronous, allocatable :: wide(:, :), sums(:, :)
  integer, asynchronous :: memory(100)
  complex, asynchronous :: z(6), w(6)
  character(len=3), asynchronous :: words(6), read(6)
  logical :: flag

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  a = reshape([(1000 * rank + i, i = 1, 80)], [10, 8])
  shift = 1000 * (before - rank)

  ! Blocking: the message has the section's elements in array order.
  b = -1
  call MPI_Sendrecv(a(2:9:3, 1:8:2), 12, MPI_INTEGER, next, 1, b(1:10:4, 2:8:2), 12, MPI_INTEGER, before, 1, MPI_COMM_WORLD, status)
  call check(all(b(1:10:4, 2:8:2) == a(2:9:3, 1:8:2) + shift), 'sections of sendrecv')
  call check(count(b == -1) == 80 - 12, 'nothing beside the section')
  b = -1
  call MPI_Irecv(b(1:10:1, 5), 10, MPI_INTEGER, before, 1, MPI_COMM_WORLD, request(1))
  call MPI_Sendrecv(a(:, 3), 10, MPI_INTEGER, next, 1, b(4, 1:4), 4, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status)
  call MPI_Wait(request(1), status)
  call check(all(b(:, 5) == a(:, 3) + shift) .and. all(b(4, 1:4) == -1), 'a column, and nothing from nobody')
  b = -1
  call MPI_Sendrecv(a(5:1:-1, 1), 5, MPI_INTEGER, next, 1, b(10:2:-2, 8), 5, MPI_INTEGER, before, 1, MPI_COMM_WORLD, status)
  call check(all(b(10:2:-2, 8) == a(5:1:-1, 1) + shift), 'backwards')

  ! Non-blocking: also a message shorter than the section, and one that ends within a plane.
  b = -1
  call MPI_Irecv(b(1:9:2, ::3), 15, MPI_INTEGER, before, 2, MPI_COMM_WORLD, request(1))
  call MPI_Isend(a(2:10:2, ::3), 15, MPI_INTEGER, next, 2, MPI_COMM_WORLD, request(2))
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
  call MPI_F_sync_reg(b)
  call check(all(b(1:9:2, ::3) == a(2:10:2, ::3) + shift) .and. count(b == -1) == 80 - 15, 'isend and irecv of sections')
  cube = reshape([(1000 * rank + i, i = 1, 120)], [4, 5, 6])
  hole = -1
  call MPI_Irecv(hole(1:3:2, 2:4, 1:6:2), 18, MPI_INTEGER, before, 2, MPI_COMM_WORLD, request(1))
  call MPI_Isend(cube(2:4:2, 1:3, 2:6:2), 11, MPI_INTEGER, next, 2, MPI_COMM_WORLD, request(2))
  call MPI_Wait(request(1), status)
  call MPI_Wait(request(2), MPI_STATUS_IGNORE)
  call MPI_F_sync_reg(hole)
  call MPI_Get_count(status, MPI_INTEGER, i)
  call check(i == 11, 'what arrived is shorter than the section')
  call check(count(hole /= -1) == 11 .and. hole(1, 2, 1) == cube(2, 1, 2) + shift .and. hole(3, 4, 1) == cube(4, 3, 2) + shift &
             .and. hole(1, 4, 3) == cube(2, 3, 4) + shift .and. hole(3, 4, 3) == -1, 'eleven elements of eighteen')
  z = [(cmplx(i, rank), i = 1, 6)]
  w = 0
  call MPI_Irecv(w(1:5:2), 3, MPI_COMPLEX, before, 2, MPI_COMM_WORLD, request(1))
  call MPI_Isend(z(2:6:2), 6, MPI_REAL, next, 2, MPI_COMM_WORLD, request(2))
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
  call MPI_F_sync_reg(w)
  call check(all(w(1:5:2) == [(cmplx(i, before), i = 2, 6, 2)]) .and. all(w(2:6:2) == 0), 'two reals for an element')
  words = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr']
  read = '...'
  call MPI_Irecv(read(6:2:-2), 9, MPI_CHARACTER, before, 2, MPI_COMM_WORLD, request(1))
  call MPI_Isend(words(1:5:2), 9, MPI_CHARACTER, next, 2, MPI_COMM_WORLD, request(2))
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
  call MPI_F_sync_reg(read)
  call check(read(6) == 'abc' .and. read(4) == 'ghi' .and. read(2) == 'mno' .and. read(1) == '...', 'strings')

  ! Datatypes of their own shape over a section: with gaps, and with the second element first.
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  line = [(100 * rank + i, i = 1, 20)]
  other = -1
  call MPI_Irecv(other(1:20:2), 2, pair, before, 3, MPI_COMM_WORLD, request(1))
  call MPI_Isend(line(20:2:-2), 2, pair, next, 3, MPI_COMM_WORLD, request(2))
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
  call MPI_F_sync_reg(other)
  call check(all(other([1, 5, 7, 11]) == [20, 16, 14, 10] + 100 * before) .and. count(other == -1) == 16, 'gaps over gaps')
  call MPI_Type_free(pair)
  call MPI_Type_indexed(2, [1, 1], [1, 0], MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  other = -1
  call MPI_Irecv(other(2:8:2), 4, MPI_INTEGER, before, 3, MPI_COMM_WORLD, request(1))
  call MPI_Isend(line(1:20:3), 2, pair, next, 3, MPI_COMM_WORLD, request(2))
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
  call MPI_F_sync_reg(other)
  call check(all(other([2, 4, 6, 8]) == [4, 1, 10, 7] + 100 * before), 'the second element first')
  call MPI_Type_free(pair)

  ! Persistent requests see what the section holds when they start.
  line = 0
  call MPI_Send_init(line(1:19:2), 10, MPI_INTEGER, next, 4, MPI_COMM_WORLD, request(1))
  call MPI_Recv_init(other(2:20:2), 10, MPI_INTEGER, before, 4, MPI_COMM_WORLD, request(2))
  do k = 1, 2
    line = [(100 * k + rank + i, i = 1, 20)]
    other = -1
    call MPI_Startall(2, request)
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    call MPI_F_sync_reg(other)
    call check(all(other(2:20:2) == line(1:19:2) - rank + before) .and. all(other(1:19:2) == -1), 'persistent sections')
  end do
  call MPI_Request_free(request(1))
  call MPI_Request_free(request(2))

  ! Collectives: several blocks in one section, reductions, derived types.
  allocate (wide(2 * size, 6), sums(2 * size, 6))
  wide = -1
  call MPI_Allgather(a(1:6:2, 1), 3, MPI_INTEGER, wide(1:2 * size:2, 1:6:2), 3, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(reshape(wide(1:2 * size:2, 1:6:2), [3 * size]) == [((1000 * j + i, i = 1, 5, 2), j = 0, size - 1)]), 'allgather')
  call check(count(wide == -1) == 12 * size - 3 * size, 'nothing beside the blocks')
  wide = -1
  call MPI_Iallgather(a(1:6:2, 1), 3, MPI_INTEGER, wide(1:2 * size:2, 1:6:2), 3, MPI_INTEGER, MPI_COMM_WORLD, request(1))
  call MPI_Wait(request(1), MPI_STATUS_IGNORE)
  call MPI_F_sync_reg(wide)
  call check(all(reshape(wide(1:2 * size:2, 1:6:2), [3 * size]) == [((1000 * j + i, i = 1, 5, 2), j = 0, size - 1)]), 'iallgather')
  sums = -1
  wide = rank + 1
  call MPI_Allreduce(wide(2:2 * size:2, 1:6:2), sums(1:2 * size:2, 2:6:2), 3 * size, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(all(sums(1:2 * size:2, 2:6:2) == size * (size + 1) / 2) .and. all(sums(2:2 * size:2, :) == -1), 'allreduce')
  sums = -1
  call MPI_Iallreduce(wide(2:2 * size:2, 1:6:2), sums(1:2 * size:2, 2:6:2), 3 * size, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                      request(1))
  flag = .false.
  do while (.not. flag)
    call MPI_Test(request(1), flag, MPI_STATUS_IGNORE)
  end do
  call MPI_F_sync_reg(sums)
  call check(all(sums(1:2 * size:2, 2:6:2) == size * (size + 1) / 2) .and. all(sums(2:2 * size:2, :) == -1), 'iallreduce')
  call MPI_Allreduce(MPI_IN_PLACE, sums(1:2 * size:2, 2:6:2), 3 * size, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call check(all(sums(1:2 * size:2, 2:6:2) == size * (size + 1) / 2), 'allreduce in place')
  call MPI_Allreduce_init(wide(1, 1:5:2), sums(1, 2:6:2), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request(1))
  do k = 1, 2
    wide = k
    sums = 0
    call MPI_Start(request(1))
    call MPI_Wait(request(1), MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(sums)
    call check(all(sums(1, 2:6:2) == k * size) .and. all(sums(1, 1:5:2) == 0), 'persistent allreduce')
  end do
  call MPI_Request_free(request(1))
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  line = [(i, i = 1, 20)] * (rank + 1)
  if (rank /= 0) line = 0
  call MPI_Bcast(line(2:20:2), 2, pair, 0, MPI_COMM_WORLD)
  call check(all(line([2, 6, 8, 12]) == [2, 6, 8, 12]) .and. (rank == 0 .or. line(4) == 0), 'a type with gaps over a section')
  call MPI_Type_free(pair)

  ! One-sided.
  memory = -1
  call MPI_Win_create(memory, 400_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  call MPI_Put(a(1:9:4, 1:7:3), 9, MPI_INTEGER, next, 1_MPI_ADDRESS_KIND, 9, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call MPI_F_sync_reg(memory)
  call check(all(memory(2:10) == reshape(a(1:9:4, 1:7:3), [9]) + shift), 'put')
  b = -1
  call MPI_Get(b(2:10:4, 2:8:3), 9, MPI_INTEGER, rank, 1_MPI_ADDRESS_KIND, 9, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call MPI_F_sync_reg(b)
  call check(all(b(2:10:4, 2:8:3) == a(1:9:4, 1:7:3) + shift) .and. count(b == -1) == 71, 'get')
  call MPI_Accumulate(a(1:9:4, 1:7:3), 9, MPI_INTEGER, rank, 1_MPI_ADDRESS_KIND, 9, MPI_INTEGER, MPI_SUM, win)
  call MPI_Win_fence(0, win)
  call MPI_F_sync_reg(memory)
  call check(all(memory(2:10) == reshape(2 * a(1:9:4, 1:7:3), [9]) + shift), 'accumulate')
  memory = 0
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  call MPI_Win_fence(0, win)
  line = [(i, i = 1, 20)]
  call MPI_Accumulate(line(1:20:3), 2, pair, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, MPI_SUM, win)
  call MPI_Win_fence(0, win)
  call MPI_F_sync_reg(memory)
  call check(all(memory(1:4) == [1, 7, 10, 16]) .and. memory(5) == 0, 'accumulate gaps over gaps')
  call MPI_Type_free(pair)
  call MPI_Win_free(win)

  call MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call close_checks(rank, counts)
  call MPI_Finalize()
end program
