! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: procedures with the interfaces of the module: operations small and large, error handlers, attributes, generalized requests.
module procedures
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer :: errors = 0, deleted = 0, freed = 0
contains
  subroutine multiply(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) return
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = a * b
  end subroutine

  subroutine multiply_large(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = a * b
  end subroutine

  subroutine on_error(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    if (comm /= MPI_COMM_NULL .and. error_code /= MPI_SUCCESS) errors = errors + 1
  end subroutine

  subroutine on_window_error(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
    if (win /= MPI_WIN_NULL) errors = errors + 1
  end subroutine

  subroutine copy_attribute(oldtype, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Datatype) :: oldtype
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in + extra_state
    flag = oldtype /= MPI_DATATYPE_NULL
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_attribute(datatype, keyval, attribute_val, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    status%MPI_SOURCE = int(extra_state)
    call MPI_Status_set_elements(status, MPI_BYTE, 5_MPI_COUNT_KIND)
    call MPI_Status_set_cancelled(status, .false.)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine free_request(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel_request(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    ierror = MPI_SUCCESS
  end subroutine
end module

program callbacks
  use checks
  use procedures
  implicit none
  integer :: rank, size, value, i, keyval, ierror, class, memory(4), total(2)
  integer(kind=MPI_ADDRESS_KIND) :: attribute
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler, same
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: datatype, copy
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  type(MPI_Win) :: win
  logical :: flag

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)

  call MPI_Op_create(multiply, .true., op)
  call MPI_Allreduce([mod(rank, 3) + 1, 1], total, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(total(1) == product([(mod(i, 3) + 1, i = 0, size - 1)]) .and. total(2) == 1, 'own operation')
  call MPI_Op_free(op)
  call MPI_Op_create_c(multiply_large, .true., op)
  call MPI_Allreduce(2, value, 1_MPI_COUNT_KIND, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(value == 2**size, 'own operation with large counts')
  call MPI_Op_free(op)
  call check(op == MPI_OP_NULL, 'op_free')

  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_create_errhandler(on_error, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  call MPI_Comm_get_errhandler(comm, same)
  call check(same == handler, 'get_errhandler')
  call MPI_Errhandler_free(same)
  call MPI_Errhandler_free(handler)
  call MPI_Send(value, 1, MPI_INTEGER, size, 0, comm, ierror)
  call check(ierror /= MPI_SUCCESS .and. errors == 1, 'own error handler')
  call MPI_Error_class(ierror, class)
  call check(class == MPI_ERR_RANK, 'error class')
  call MPI_Comm_free(comm)

  call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_create_errhandler(on_window_error, handler)
  call MPI_Win_set_errhandler(win, handler)
  call MPI_Errhandler_free(handler)
  call MPI_Win_call_errhandler(win, MPI_ERR_OTHER)
  call check(errors == 2, 'error handler of a window')
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, attribute, flag)
  call check(flag .and. attribute == 16, 'MPI_WIN_SIZE')
  call MPI_Win_free(win)

  call MPI_Type_create_keyval(copy_attribute, delete_attribute, keyval, 3_MPI_ADDRESS_KIND)
  call MPI_Type_contiguous(2, MPI_REAL, datatype)
  call MPI_Type_set_attr(datatype, keyval, 40_MPI_ADDRESS_KIND)
  call MPI_Type_dup(datatype, copy)
  call MPI_Type_get_attr(copy, keyval, attribute, flag)
  call check(flag .and. attribute == 43, 'copied attribute of a type')
  call MPI_Type_free(copy)
  call MPI_Type_free(datatype)
  call check(deleted == 2, 'deleted attributes')
  call MPI_Type_free_keyval(keyval)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, 8_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_SELF, comm)
  call MPI_Comm_get_attr(comm, keyval, attribute, flag)
  call check(flag .and. attribute == 8, 'MPI_COMM_DUP_FN')
  call MPI_Comm_free(comm)
  call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval)
  call MPI_Comm_free_keyval(keyval)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, attribute, flag)
  call check(flag .and. attribute >= 32767, 'MPI_TAG_UB')

  call MPI_Grequest_start(query, free_request, cancel_request, 6_MPI_ADDRESS_KIND, request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_BYTE, value)
  call check(status%MPI_SOURCE == 6 .and. value == 5 .and. freed == 1, 'generalized request')

  call MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call close_checks(rank, counts)
  call MPI_Finalize()
end program
