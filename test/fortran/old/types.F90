! SPDX-License-Identifier: BSD-3-Clause
! Datatypes: vectors, structures by absolute addresses, subarrays, contents, packing, sizes, Fortran's parametrised types.
#include "use.inc"
program types
  use checks
  USE_MPI
  implicit none
  DECLARE_MPI
  integer :: rank, size, ierr, newtype, column, request, bytes, ni, na, nd, combiner, ints(10), kinds(2), other
  integer(kind=MPI_ADDRESS_KIND) :: places(2), addresses(10), lb, extent
  integer :: matrix(4, 5), copy(4, 5), i, j, lengths(2), typed(2), number, status(MPI_STATUS_SIZE)
  double precision :: real_part, wide
  real(8) :: r8
  character :: packed(1000)

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  matrix = reshape((/(i, i = 1, 20)/), (/4, 5/))

  call MPI_TYPE_VECTOR(5, 1, 4, MPI_INTEGER, newtype, ierr)
  call MPI_TYPE_COMMIT(newtype, ierr)
  copy = 0
  call MPI_SENDRECV(matrix(2, 1), 1, newtype, rank, 1, copy, 5, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(all(copy(:, 1) == matrix(2, 1:4)) .and. copy(1, 2) == matrix(2, 5), 'a row as a vector')
  call MPI_TYPE_FREE(newtype, ierr)
  call check(newtype == MPI_DATATYPE_NULL, 'type_free')

  number = 17 + rank
  wide = 0.25d0
  call MPI_GET_ADDRESS(number, places(1), ierr)
  call MPI_GET_ADDRESS(wide, places(2), ierr)
  lengths = 1
  typed = (/MPI_INTEGER, MPI_DOUBLE_PRECISION/)
  call MPI_TYPE_CREATE_STRUCT(2, lengths, places, typed, newtype, ierr)
  call MPI_TYPE_COMMIT(newtype, ierr)
  call MPI_ISEND(MPI_BOTTOM, 1, newtype, rank, 2, MPI_COMM_WORLD, request, ierr)
  call MPI_RECV(packed, 12, MPI_BYTE, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
  number = 0
  wide = 0
  call MPI_SENDRECV(packed, 12, MPI_BYTE, rank, 3, MPI_BOTTOM, 1, newtype, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call touch(number)
  call touch(wide)
  call check(number == 17 + rank .and. wide == 0.25d0, 'send from MPI_BOTTOM, receive there')
  call MPI_TYPE_GET_ENVELOPE(newtype, ni, na, nd, combiner, ierr)
  call check(combiner == MPI_COMBINER_STRUCT .and. ni == 3 .and. na == 2 .and. nd == 2, 'envelope')
  call MPI_TYPE_GET_CONTENTS(newtype, ni, na, nd, ints, addresses, kinds, ierr)
  call check(all(addresses(1:2) == places) .and. all(kinds == typed) .and. ints(1) == 2, 'contents')
  call MPI_TYPE_FREE(newtype, ierr)

  call MPI_TYPE_CREATE_SUBARRAY(2, (/4, 5/), (/2, 3/), (/1, 2/), MPI_ORDER_FORTRAN, MPI_INTEGER, newtype, ierr)
  call MPI_TYPE_COMMIT(newtype, ierr)
  copy = 0
  call MPI_SENDRECV(matrix, 1, newtype, rank, 1, copy, 6, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, status, ierr)
  call check(all(reshape(copy(:, 1), (/4/)) == (/matrix(2, 3), matrix(3, 3), matrix(2, 4), matrix(3, 4)/)), 'subarray')
  call MPI_GET_ELEMENTS(status, MPI_INTEGER, i, ierr)
  call check(i == 6, 'elements')
  call MPI_TYPE_FREE(newtype, ierr)

  call MPI_TYPE_CONTIGUOUS(4, MPI_INTEGER, column, ierr)
  call MPI_TYPE_CREATE_RESIZED(column, 0_MPI_ADDRESS_KIND, 32_MPI_ADDRESS_KIND, newtype, ierr)
  call MPI_TYPE_GET_EXTENT(newtype, lb, extent, ierr)
  call check(lb == 0 .and. extent == 32, 'resized')
  call MPI_TYPE_SIZE(newtype, bytes, ierr)
  call check(bytes == 16, 'size of a type')
  call MPI_TYPE_FREE(newtype, ierr)
  call MPI_TYPE_FREE(column, ierr)

  call MPI_TYPE_CREATE_F90_REAL(15, MPI_UNDEFINED, newtype, ierr)
  call MPI_TYPE_SIZE(newtype, bytes, ierr)
  call check(bytes == 8, 'a real of 15 digits')
  call MPI_TYPE_MATCH_SIZE(MPI_TYPECLASS_INTEGER, 4, other, ierr)
  call MPI_TYPE_SIZE(other, bytes, ierr)
  call check(bytes == 4, 'an integer of 4 bytes')
  do j = 1, 2
    call MPI_TYPE_SIZE(merge(MPI_REAL8, MPI_INTEGER8, j == 1), bytes, ierr)
    call check(bytes == 8, 'REAL*8, INTEGER*8')
  end do
#ifndef WITH_MPIF
  call MPI_SIZEOF(r8, bytes, ierr)
  call check(bytes == 8, 'sizeof')
#endif
  r8 = 1
  real_part = r8
  call MPI_PACK_EXTERNAL_SIZE('external32', 3, MPI_INTEGER, extent, ierr)
  call check(extent == 12, 'pack_external_size')

  call MPI_ALLREDUCE(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call close_checks(rank, counts)
  call MPI_FINALIZE(ierr)
end program
