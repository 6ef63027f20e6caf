! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: collectives with small and large counts, vectors, types for each rank, topologies.
program coll
  use checks
  use mpi_f08
  implicit none
  integer, parameter :: most = 16
  integer(kind=MPI_COUNT_KIND), parameter :: one = 1
  integer :: rank, size, i, a(most), b(most), lengths(most), places(most), value, dims(1), source, dest, coords(1)
  integer(kind=MPI_COUNT_KIND) :: large_lengths(most)
  integer(kind=MPI_ADDRESS_KIND) :: large_places(most)
  type(MPI_Datatype) :: types(most)
  type(MPI_Comm) :: cart, graph, half
  type(MPI_Request) :: request
  type(MPI_Group) :: group
  logical :: periods(1), reorder

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  value = merge(7, 0, rank == 0)
  call MPI_Bcast(value, one, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call check(value == 7, 'bcast of a large count')
  call MPI_Allreduce(rank, value, 1_MPI_COUNT_KIND, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(value == size * (size - 1) / 2, 'allreduce of a large count')
  a(1:size) = [(rank * 100 + i, i = 0, size - 1)]
  lengths = 1
  large_lengths = 1
  places(1:size) = [(4 * i, i = 0, size - 1)]
  large_places(1:size) = [(4 * i, i = 0, size - 1)]
  types = MPI_INTEGER
  b = -1
  call MPI_Alltoallw(a, lengths, places, types, b, lengths, places, types, MPI_COMM_WORLD)
  call check(all(b(1:size) == [(i * 100 + rank, i = 0, size - 1)]), 'alltoallw')
  b = -1
  call MPI_Alltoallw(a, large_lengths, large_places, types, b, large_lengths, large_places, types, MPI_COMM_WORLD)
  call check(all(b(1:size) == [(i * 100 + rank, i = 0, size - 1)]), 'alltoallw, large')
  b = -1
  call MPI_Ialltoallw(a, lengths, places, types, b, lengths, places, types, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_F_sync_reg(b)
  call check(all(b(1:size) == [(i * 100 + rank, i = 0, size - 1)]), 'ialltoallw')
  large_places(1:size) = [(size - i, i = 1, size)]
  call MPI_Gatherv(rank, one, MPI_INTEGER, b, large_lengths, large_places, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (rank == 0) call check(all(b(1:size) == [(size - i, i = 1, size)]), 'gatherv, large')
  call MPI_Exscan(1, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank > 0) call check(value == rank, 'exscan')
  call MPI_Reduce(MPI_COMM_WORLD%MPI_VAL, value, 1, MPI_INTEGER, MPI_MAX, size - 1, MPI_COMM_WORLD)
  if (rank == size - 1) call check(value == MPI_COMM_WORLD%MPI_VAL, 'the value of a handle')

  call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., cart)
  periods = .false.
  call MPI_Cart_get(cart, 1, dims, periods, coords)
  call check(periods(1) .and. dims(1) == size .and. coords(1) == rank, 'cart_get')
  call MPI_Cart_shift(cart, 0, 1, source, dest)
  call check(dest == mod(rank + 1, size) .and. source == mod(rank + size - 1, size), 'cart_shift')
  a(1:2) = [10 * rank, 10 * rank + 1]
  types = MPI_INTEGER
  call MPI_Neighbor_alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, cart)
  if (size > 2) call check(b(1) == 10 * source + 1 .and. b(2) == 10 * dest, 'neighbor_alltoall')
  large_places(1:2) = [0, 4]
  b = -1
  call MPI_Neighbor_alltoallw(a, [1, 1], large_places, types, b, [1, 1], large_places, types, cart)
  if (size > 2) call check(b(1) == 10 * source + 1 .and. b(2) == 10 * dest, 'neighbor_alltoallw')
  call MPI_Comm_free(cart)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [mod(rank + 1, size)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph)
  call MPI_Dist_graph_neighbors_count(graph, source, dest, reorder)
  call check(source == 1 .and. dest == 1 .and. .not. reorder, 'graph')
  call MPI_Comm_free(graph)
  call MPI_Comm_group(MPI_COMM_WORLD, group)
  call MPI_Comm_create(MPI_COMM_WORLD, group, half)
  call MPI_Group_free(group)
  call check(group == MPI_GROUP_NULL .and. half /= MPI_COMM_NULL, 'comm_create')
  call MPI_Comm_free(half)

  call MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call close_checks(rank, counts)
  call MPI_Finalize()
end program
