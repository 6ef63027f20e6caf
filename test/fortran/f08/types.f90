! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: derived types, large counts in constructors and contents, addresses, packing, strings, memory with C pointers, PMPI names.
program types
  use, intrinsic :: iso_c_binding
  use checks
  use mpi_f08
  implicit none
  type, bind(C) :: particle
    integer(c_int) :: kind
    real(c_double) :: place(3)
  end type
  integer(kind=MPI_COUNT_KIND), parameter :: zero = 0, one = 1, two = 2
  type(particle) :: mine(2), got(2)
  integer(kind=MPI_ADDRESS_KIND) :: places(2), start, lb, extent
  integer(kind=MPI_COUNT_KIND) :: large, lbx, extentx, ni, na, nl, nd, larges(10)
  integer :: rank, size, ints(4), combiner, position, length, i, nis, nas, nds, ierror, unit
  integer(kind=MPI_ADDRESS_KIND) :: addresses(4)
  type(MPI_Datatype) :: structure, resized, vector, parts(4), other
  type(MPI_Info) :: info
  type(MPI_Win) :: win
  type(c_ptr) :: base, back
  integer, pointer :: memory(:)
  character(len=20) :: value
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character, target, asynchronous :: packed(200), room(3000)
  logical :: flag

  call MPI_Init_thread(MPI_THREAD_SINGLE, i)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call PMPI_Comm_size(MPI_COMM_WORLD, size)
  do i = 1, 2
    mine(i) = particle(10 * rank + i, [1d0, 2d0, 3d0 + i])
    got(i) = particle(0, [0d0, 0d0, 0d0])
  end do
  call MPI_Get_address(mine(1), start)
  call MPI_Get_address(mine(1)%kind, places(1))
  call MPI_Get_address(mine(1)%place, places(2))
  places = [MPI_Aint_diff(places(1), start), MPI_Aint_diff(places(2), start)]
  call MPI_Type_create_struct(2, [1, 3], places, [MPI_INTEGER, MPI_DOUBLE_PRECISION], structure)
  call MPI_Get_address(mine(2), lb)
  call MPI_Type_create_resized(structure, 0_MPI_ADDRESS_KIND, MPI_Aint_diff(lb, start), resized)
  call MPI_Type_commit(resized)
  call MPI_Sendrecv(mine, two, resized, rank, 0, got, two, resized, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call check(all(got%kind == mine%kind) .and. all(got(2)%place == mine(2)%place), 'array of structures')
  call MPI_Type_get_extent(resized, lb, extent)
  call MPI_Type_get_extent_x(resized, lbx, extentx)
  call check(lb == 0 .and. extent == 32 .and. extentx == 32, 'extent')
  call MPI_Type_size(structure, i)
  call MPI_Type_size(structure, large)
  call check(i == 28 .and. large == 28, 'sizes, small and large')
  call MPI_Type_get_envelope(structure, nis, nas, nds, combiner)
  call check(nis == 3 .and. nas == 2 .and. nds == 2 .and. combiner == MPI_COMBINER_STRUCT, 'envelope')
  call MPI_Type_get_contents(structure, nis, nas, nds, ints, addresses, parts)
  call check(all(addresses(1:2) == places) .and. parts(1) == MPI_INTEGER .and. parts(2) == MPI_DOUBLE_PRECISION, 'contents')
  call MPI_Type_free(structure)
  call MPI_Type_free(resized)

  call MPI_Type_vector(two, one, 3_MPI_COUNT_KIND, MPI_INTEGER, vector)
  call MPI_Type_get_envelope(vector, ni, na, nl, nd, combiner)
  call check(nl == 3 .and. nd == 1 .and. combiner == MPI_COMBINER_VECTOR, 'envelope with large counts')
  call MPI_Type_get_contents(vector, ni, na, nl, nd, ints, addresses, larges, parts)
  call check(all(larges(1:3) == [2, 1, 3]) .and. parts(1) == MPI_INTEGER, 'contents with large counts')
  call MPI_Type_contiguous(3000000000_MPI_COUNT_KIND, MPI_BYTE, other)
  call MPI_Type_size(other, large)
  call check(large == 3000000000_MPI_COUNT_KIND, 'a type of three billion bytes')
  call MPI_Type_size(other, i)
  call check(i == MPI_UNDEFINED, 'whose size is no default integer')
  call MPI_Type_free(other)
  call MPI_Type_free(vector)

  position = 0
  call MPI_Pack([1, 2, 3], 3, MPI_INTEGER, packed, 200, position, MPI_COMM_WORLD)
  call check(position == 12, 'pack')
  large = 0
  call MPI_Unpack(packed, 200_MPI_COUNT_KIND, large, ints, 3_MPI_COUNT_KIND, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(ints(1:3) == [1, 2, 3]) .and. large == 12, 'unpack, large')
  lb = 0
  call MPI_Pack_external('external32', [1, 256], 2, MPI_INTEGER, packed, 200_MPI_ADDRESS_KIND, lb)
  call check(lb == 8 .and. ichar(packed(4)) == 1 .and. ichar(packed(7)) == 1, 'pack_external')
  call MPI_Sizeof(mine(1)%place, i)
  call check(i == 8, 'sizeof of an array')

  call MPI_Info_create(info)
  call MPI_Info_set(info, ' key ', 'a value')
  value = '?'
  length = 20
  call MPI_Info_get_string(info, 'key', length, value, flag)
  call check(flag .and. value == 'a value' .and. length == 7, 'info_get_string')
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)  ! a library that takes this for an error shall go on
  call MPI_Info_get(info, 'key', 3, value, flag, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
  call check(flag .and. value == 'a v', 'a value that is cut')
  call MPI_Info_free(info)
  call MPI_Type_get_name(MPI_REAL, name, length)
  call check(name == 'MPI_REAL' .and. length == 8, 'name of a type')

  call MPI_Win_allocate(40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, memory, [10])
  memory = rank
  call MPI_Win_fence(MPI_MODE_NOPRECEDE, win)
  call MPI_Put(rank + 50, 1, MPI_INTEGER, mod(rank + 1, size), 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
  call check(memory(3) == mod(rank + size - 1, size) + 50 .and. memory(1) == rank, 'memory of a window')
  call MPI_Win_free(win)
  extent = merge(40, 0, rank == 0)
  call MPI_Win_allocate_shared(extent, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call MPI_Win_shared_query(win, 0, extent, unit, back)
  call c_f_pointer(back, memory, [10])
  call MPI_Win_fence(0, win)
  if (rank == 0) memory = 9
  call MPI_Win_fence(0, win)
  call check(extent == 40 .and. unit == 4 .and. all(memory == 9), 'shared memory')
  call MPI_Win_free(win)
  call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, base)
  call c_f_pointer(base, memory, [10])
  memory = 1
  call MPI_Free_mem(memory, ierror)
  call check(ierror == MPI_SUCCESS, 'alloc_mem, free_mem')
  call MPI_Buffer_attach(room, 3000)
  call MPI_Buffer_detach(back, length)
  call check(length == 3000 .and. c_associated(back, c_loc(room)), 'the detached buffer')
  call check(zero == 0 .and. PMPI_Wtime() > 0, 'PMPI names')

  call PMPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call close_checks(rank, counts)
  call PMPI_Finalize()
end program
