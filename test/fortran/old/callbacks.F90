! SPDX-License-Identifier: BSD-3-Clause
! Procedures of the program that MPI calls: operations, error handlers, attributes, generalized requests.
#include "use.inc"
module procedures
  implicit none
  integer :: errors = 0, deleted = 0, copies = 0, freed = 0, queried = 0
contains
  subroutine multiply(in, inout, length, datatype)
    USE_MPI
    DECLARE_MPI
    integer :: length, datatype, i
    integer :: in(length), inout(length)
    if (datatype /= MPI_INTEGER) return
    do i = 1, length
      inout(i) = in(i) * inout(i)
    end do
  end subroutine

  ! Not commutative: the left operand's first digit stays in front.
  subroutine append(in, inout, length, datatype)
    integer :: length, datatype, i
    integer :: in(length), inout(length)
    do i = 1, length
      inout(i) = in(i) * 10 + inout(i)
    end do
  end subroutine

  subroutine on_error(comm, code)
    integer :: comm, code
    if (comm >= 0 .or. code /= 0) errors = errors + 1
  end subroutine

  subroutine copy_twice(comm, keyval, extra, in, out, flag, ierr)
    USE_MPI
    DECLARE_MPI
    integer :: comm, keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copies = copies + 1
    out = 2 * in + extra
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine

  subroutine count_deleted(comm, keyval, value, extra, ierr)
    USE_MPI
    DECLARE_MPI
    integer :: comm, keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    if (extra == 5) deleted = deleted + 1
    ierr = MPI_SUCCESS
  end subroutine

  subroutine query(extra, status, ierr)
    USE_MPI
    DECLARE_MPI
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierr
    queried = queried + 1
    status(MPI_SOURCE) = 3
    status(MPI_TAG) = int(extra)
    call MPI_STATUS_SET_ELEMENTS(status, MPI_INTEGER, 11, ierr)
    call MPI_STATUS_SET_CANCELLED(status, .false., ierr)
    ierr = MPI_SUCCESS
  end subroutine

  subroutine free_request(extra, ierr)
    USE_MPI
    DECLARE_MPI
    integer(kind=MPI_ADDRESS_KIND) :: extra
    integer :: ierr
    freed = freed + 1
    ierr = MPI_SUCCESS
  end subroutine

  subroutine cancel_request(extra, complete, ierr)
    USE_MPI
    DECLARE_MPI
    integer(kind=MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierr
    ierr = MPI_SUCCESS
  end subroutine
end module

! What C sees of the attributes of Fortran, and the reverse. A predefined communicator has the same number in both.
module as_in_c
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function c_get_attr(comm, keyval, value, flag) bind(C, name='MPI_Comm_get_attr')
      import :: c_int, c_intptr_t, c_ptr
      integer(c_intptr_t), value :: comm
      integer(c_int), value :: keyval
      type(c_ptr) :: value
      integer(c_int) :: flag
    end function
    integer(c_int) function c_set_attr(comm, keyval, value) bind(C, name='MPI_Comm_set_attr')
      import :: c_int, c_intptr_t, c_ptr
      integer(c_intptr_t), value :: comm
      integer(c_int), value :: keyval
      type(c_ptr), value :: value
    end function
  end interface
end module

program callbacks
  use checks
  use procedures
  use as_in_c
  USE_MPI
  implicit none
  DECLARE_MPI
  integer :: rank, size, ierr, op, other, handler, comm, keyval, request, status(MPI_STATUS_SIZE), i, value, expected, class
  integer(kind=MPI_ADDRESS_KIND) :: attribute
  logical :: flag
  type(c_ptr) :: place
  integer(kind=MPI_ADDRESS_KIND), pointer :: seen
  integer, pointer :: small
  integer(c_int) :: found
  integer(c_intptr_t) :: self
  integer, target :: object

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)

  call MPI_OP_CREATE(multiply, .true., op, ierr)
  call MPI_ALLREDUCE(mod(rank, 3) + 1, value, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
  call check(value == product((/(mod(i, 3) + 1, i = 0, size - 1)/)), 'own operation')
  call MPI_OP_CREATE(append, .false., other, ierr)
  call MPI_ALLREDUCE(mod(rank, 10), value, 1, MPI_INTEGER, other, MPI_COMM_WORLD, ierr)
  expected = 0
  do i = 0, size - 1
    expected = expected * 10 + mod(i, 10)
  end do
  if (size <= 2) call check(value == expected, 'own operation that is not commutative')
  call MPI_OP_COMMUTATIVE(other, flag, ierr)
  call check(.not. flag, 'op_commutative')
  call MPI_OP_FREE(op, ierr)
  call MPI_OP_FREE(other, ierr)
  call check(op == MPI_OP_NULL, 'op_free')

  call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
  call MPI_COMM_CREATE_ERRHANDLER(on_error, handler, ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, handler, ierr)
  call MPI_SEND(rank, 1, MPI_INTEGER, size, 0, comm, ierr)
  call check(ierr /= MPI_SUCCESS .and. errors == 1, 'own error handler')
  call MPI_ERROR_CLASS(ierr, class, ierr)
  call check(class == MPI_ERR_RANK, 'class of the error')
  call MPI_COMM_GET_ERRHANDLER(comm, other, ierr)
  call check(other == handler, 'get_errhandler')
  call MPI_COMM_CALL_ERRHANDLER(comm, MPI_ERR_OTHER, ierr)
  call check(errors == 2, 'call_errhandler')
  call MPI_ERRHANDLER_FREE(handler, ierr)
  call MPI_ERRHANDLER_FREE(other, ierr)
  call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierr)
  call MPI_BCAST(rank, -1, MPI_INTEGER, 0, comm, ierr)
  call check(ierr /= MPI_SUCCESS, 'MPI_ERRORS_RETURN')

  call MPI_COMM_CREATE_KEYVAL(copy_twice, count_deleted, keyval, 5_MPI_ADDRESS_KIND, ierr)
  call MPI_COMM_SET_ATTR(comm, keyval, 1000000000000_MPI_ADDRESS_KIND, ierr)
  call MPI_COMM_GET_ATTR(comm, keyval, attribute, flag, ierr)
  call check(flag .and. attribute == 1000000000000_MPI_ADDRESS_KIND, 'attribute')
  call MPI_COMM_DUP(comm, other, ierr)
  call MPI_COMM_GET_ATTR(other, keyval, attribute, flag, ierr)
  call check(flag .and. attribute == 2000000000005_MPI_ADDRESS_KIND .and. copies == 1, 'copied attribute')
  call MPI_COMM_DELETE_ATTR(comm, keyval, ierr)
  call check(deleted == 1, 'deleted attribute')
  call MPI_COMM_GET_ATTR(comm, keyval, attribute, flag, ierr)
  call check(.not. flag, 'no attribute')
  call MPI_COMM_FREE(other, ierr)
  call check(deleted == 2, 'attribute of a freed communicator')
  call MPI_COMM_FREE_KEYVAL(keyval, ierr)
  call check(keyval == MPI_KEYVAL_INVALID, 'free_keyval')

  call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_COMM_SET_ATTR(comm, keyval, 12_MPI_ADDRESS_KIND, ierr)
  call MPI_COMM_DUP(comm, other, ierr)
  call MPI_COMM_GET_ATTR(other, keyval, attribute, flag, ierr)
  call check(flag .and. attribute == 12, 'MPI_COMM_DUP_FN')
  call MPI_COMM_FREE(other, ierr)
  call MPI_COMM_FREE_KEYVAL(keyval, ierr)
  call MPI_COMM_FREE(comm, ierr)

  self = MPI_COMM_SELF
  call MPI_COMM_CREATE_KEYVAL(copy_twice, count_deleted, keyval, 5_MPI_ADDRESS_KIND, ierr)
  call MPI_COMM_SET_ATTR(MPI_COMM_SELF, keyval, -1000000000000_MPI_ADDRESS_KIND, ierr)
  ierr = c_get_attr(self, keyval, place, found)
  call c_f_pointer(place, seen)
  call check(found == 1 .and. seen == -1000000000000_MPI_ADDRESS_KIND, 'attribute of Fortran in C')
  deleted = 0
  ierr = c_set_attr(self, keyval, c_loc(object))
  call MPI_COMM_GET_ATTR(MPI_COMM_SELF, keyval, attribute, flag, ierr)
  call check(flag .and. attribute == transfer(c_loc(object), attribute) .and. deleted == 1, 'attribute of C in Fortran')
  call MPI_ATTR_PUT(MPI_COMM_SELF, keyval, -17, ierr)
  ierr = c_get_attr(self, keyval, place, found)
  call c_f_pointer(place, small)
  call check(found == 1 .and. small == -17 .and. deleted == 2, 'attribute of MPI-1 in C')
  call MPI_COMM_GET_ATTR(MPI_COMM_SELF, keyval, attribute, flag, ierr)
  call check(flag .and. attribute == -17, 'attribute of MPI-1')
  call MPI_COMM_DELETE_ATTR(MPI_COMM_SELF, keyval, ierr)
  call check(ierr == MPI_SUCCESS .and. deleted == 3, 'deleted attributes of both languages')
  call MPI_COMM_FREE_KEYVAL(keyval, ierr)

  call MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, attribute, flag, ierr)
  call check(flag .and. attribute >= 32767, 'MPI_TAG_UB')
  call MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, attribute, flag, ierr)
  call check(flag .and. (attribute == 0 .or. attribute == 1), 'MPI_WTIME_IS_GLOBAL')

  call MPI_GREQUEST_START(query, free_request, cancel_request, 77_MPI_ADDRESS_KIND, request, ierr)
  call MPI_TEST(request, flag, status, ierr)
  call check(.not. flag, 'generalized request has not completed')
  call MPI_GREQUEST_COMPLETE(request, ierr)
  call MPI_WAIT(request, status, ierr)
  call check(status(MPI_SOURCE) == 3 .and. status(MPI_TAG) == 77 .and. queried == 1 .and. freed == 1, 'generalized request')
  call MPI_GET_COUNT(status, MPI_INTEGER, value, ierr)
  call check(value == 11, 'count of a generalized request')

  call MPI_ALLREDUCE(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call close_checks(rank, counts)
  call MPI_FINALIZE(ierr)
end program
