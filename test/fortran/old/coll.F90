! SPDX-License-Identifier: BSD-3-Clause
! Collectives: each kind once, in place, with vectors, non-blocking; pairs for MAXLOC; topologies with logicals.
#include "use.inc"
program coll
  use checks
  USE_MPI
  implicit none
  DECLARE_MPI
  integer, parameter :: most = 16
  integer :: rank, size, ierr, i, request, cart, dims(2), coords(2), source, dest, pair(2), best(2), graph
  integer :: a(most), b(most), lengths(most), places(most), types(most), value, total
  integer :: sources(1), targets(1), in(1), out(1), degrees(2)
  logical :: periods(2), weighted, reordered(2), flag
  double precision :: dpair(2), dbest(2)
  complex :: z, zsum

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)

  value = merge(42, 0, rank == size - 1)
  call MPI_BCAST(value, 1, MPI_INTEGER, size - 1, MPI_COMM_WORLD, ierr)
  call check(value == 42, 'bcast')
  call MPI_REDUCE(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) call check(total == size * (size - 1) / 2, 'reduce')
  value = rank + 1
  call MPI_ALLREDUCE(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  call check(value == size, 'allreduce in place')
  z = cmplx(rank, 1)
  call MPI_ALLREDUCE(z, zsum, 1, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(zsum == cmplx(size * (size - 1) / 2, size), 'allreduce of complex numbers')
  flag = rank == 0
  call MPI_ALLREDUCE(MPI_IN_PLACE, flag, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
  call check(flag, 'allreduce of logicals')

  call MPI_ALLGATHER(rank * rank, 1, MPI_INTEGER, a, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check(all(a(1:size) == (/(i * i, i = 0, size - 1)/)), 'allgather')
  lengths = 1
  places(1:size) = (/(size - i, i = 1, size)/)
  call MPI_GATHERV(rank, 1, MPI_INTEGER, a, lengths, places, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) call check(all(a(1:size) == (/(size - i, i = 1, size)/)), 'gatherv')
  a(1:size) = (/(100 + i, i = 0, size - 1)/)
  call MPI_SCATTER(a, 1, MPI_INTEGER, value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call check(value == 100 + rank, 'scatter')
  a(1:size) = (/(rank * 100 + i, i = 0, size - 1)/)
  call MPI_ALLTOALL(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check(all(b(1:size) == (/(i * 100 + rank, i = 0, size - 1)/)), 'alltoall')
  b = -1
  types = MPI_INTEGER
  places(1:size) = (/(4 * i, i = 0, size - 1)/)
  call MPI_ALLTOALLW(a, lengths, places, types, b, lengths, places, types, MPI_COMM_WORLD, ierr)
  call check(all(b(1:size) == (/(i * 100 + rank, i = 0, size - 1)/)), 'alltoallw')
  call MPI_SCAN(1, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(value == rank + 1, 'scan')
  a = 1
  call MPI_REDUCE_SCATTER(a, value, lengths, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(value == size, 'reduce_scatter')
  call MPI_IALLREDUCE(rank, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
  call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
  call touch(value)
  call check(value == size * (size - 1) / 2, 'iallreduce')
  call MPI_IBARRIER(MPI_COMM_WORLD, request, ierr)
  call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
  call check(ierr == MPI_SUCCESS, 'ibarrier')

  pair = (/mod(rank * 3, size), rank/)
  call MPI_ALLREDUCE(pair, best, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
  call check(best(1) == maxval((/(mod(i * 3, size), i = 0, size - 1)/)), 'maxloc of integers')
  dpair = (/-dble(rank), dble(rank)/)
  call MPI_ALLREDUCE(dpair, dbest, 1, MPI_2DOUBLE_PRECISION, MPI_MINLOC, MPI_COMM_WORLD, ierr)
  call check(all(dbest == (/-dble(size - 1), dble(size - 1)/)), 'minloc of double precision')

  dims = 0
  call MPI_DIMS_CREATE(size, 2, dims, ierr)
  periods = (/.true., .false./)
  call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, periods, .false., cart, ierr)
  reordered = (/.false., .true./)
  call MPI_CART_GET(cart, 2, dims, reordered, coords, ierr)
  call check(reordered(1) .and. .not. reordered(2), 'logicals of cart_get')
  call MPI_CART_RANK(cart, coords, value, ierr)
  call check(value == rank, 'cart_rank')
  call MPI_CART_SHIFT(cart, 1, 1, source, dest, ierr)
  if (coords(2) == 0) call check(source == MPI_PROC_NULL, 'cart_shift beyond the edge')
  call MPI_COMM_FREE(cart, ierr)
  call check(cart == MPI_COMM_NULL, 'comm_free')

  sources = mod(rank + size - 1, size)
  targets = mod(rank + 1, size)
  call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., graph, ierr)
  weighted = .true.
  call MPI_DIST_GRAPH_NEIGHBORS_COUNT(graph, degrees(1), degrees(2), weighted, ierr)
  call check(all(degrees == 1) .and. .not. weighted, 'graph without weights')
  call MPI_DIST_GRAPH_NEIGHBORS(graph, 1, in, MPI_UNWEIGHTED, 1, out, MPI_UNWEIGHTED, ierr)
  call check(in(1) == sources(1) .and. out(1) == targets(1), 'neighbors')
  call MPI_NEIGHBOR_ALLGATHER(rank, 1, MPI_INTEGER, value, 1, MPI_INTEGER, graph, ierr)
  call check(value == sources(1), 'neighbor_allgather')
  call MPI_COMM_FREE(graph, ierr)

  call MPI_ALLREDUCE(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call close_checks(rank, counts)
  call MPI_FINALIZE(ierr)
end program
