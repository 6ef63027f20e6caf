! SPDX-License-Identifier: BSD-3-Clause
! Strings are padded and trimmed; info objects, names, groups, versions, memory, the clock.
#include "use.inc"
program strings
  use checks
  USE_MPI
  implicit none
  DECLARE_MPI
  integer :: rank, size, ierr, info, length, keys, comm, group, part, ranges(3, 1), translated(1), n, provided, version, subversion
  integer(kind=MPI_ADDRESS_KIND) :: base, place
  character(len=20) :: value, key
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=MPI_MAX_ERROR_STRING) :: text
  character(len=MPI_MAX_PROCESSOR_NAME) :: host
  logical :: flag
  double precision :: start

  call MPI_INIT_THREAD(MPI_THREAD_FUNNELED, provided, ierr)
  call check(provided >= MPI_THREAD_FUNNELED, 'init_thread')
  call MPI_INITIALIZED(flag, ierr)
  call check(flag, 'initialized')
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)

  call MPI_INFO_CREATE(info, ierr)
  call MPI_INFO_SET(info, '  colour  ', ' dark red   ', ierr)
  value = 'xxxxxxxxxxxxxxxxxxxx'
  call MPI_INFO_GET(info, 'colour', len(value), value, flag, ierr)
  call check(flag .and. value == 'dark red', 'info is trimmed and padded')
  value = 'unchanged'
  call MPI_INFO_GET(info, 'shape', len(value), value, flag, ierr)
  call check(.not. flag .and. value == 'unchanged', 'no such key')
  call MPI_INFO_GET_VALUELEN(info, 'colour', length, flag, ierr)
  call check(flag .and. length == 8, 'length of the value')
  call MPI_INFO_GET_NKEYS(info, keys, ierr)
  call check(keys == 1, 'number of keys')
  call MPI_INFO_GET_NTHKEY(info, 0, key, ierr)
  call check(key == 'colour', 'first key')
  call MPI_INFO_DELETE(info, 'colour', ierr)
  call MPI_INFO_GET_NKEYS(info, keys, ierr)
  call check(keys == 0, 'deleted key')
  call MPI_INFO_FREE(info, ierr)
  call check(info == MPI_INFO_NULL, 'info_free')

  call MPI_COMM_GET_NAME(MPI_COMM_WORLD, name, length, ierr)
  call check(name == 'MPI_COMM_WORLD' .and. length == 14, 'name of the world')
  call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
  call MPI_COMM_SET_NAME(comm, 'mine   ', ierr)
  call MPI_COMM_GET_NAME(comm, name, length, ierr)
  call check(name == 'mine' .and. length == 4, 'own name')
  call MPI_COMM_COMPARE(comm, MPI_COMM_WORLD, n, ierr)
  call check(n == MPI_CONGRUENT, 'comm_compare')
  call MPI_COMM_FREE(comm, ierr)
  call MPI_TYPE_GET_NAME(MPI_DOUBLE_PRECISION, name, length, ierr)
  call check(name == 'MPI_DOUBLE_PRECISION', 'name of a type')
  text = 'x'
  call MPI_ERROR_STRING(MPI_ERR_RANK, text, length, ierr)
  call check(length > 3 .and. len_trim(text) == length, 'error_string')
  call MPI_GET_PROCESSOR_NAME(host, length, ierr)
  call check(len_trim(host) == length .and. length > 0, 'processor name')
  call MPI_GET_VERSION(version, subversion, ierr)
  call check(version >= 3 .and. subversion >= 0, 'version')

  call MPI_COMM_GROUP(MPI_COMM_WORLD, group, ierr)
  ranges(:, 1) = (/size - 1, 0, -1/)
  call MPI_GROUP_RANGE_INCL(group, 1, ranges, part, ierr)
  call MPI_GROUP_RANK(part, n, ierr)
  call check(n == size - 1 - rank, 'range_incl')
  call MPI_GROUP_TRANSLATE_RANKS(group, 1, (/0/), part, translated, ierr)
  call check(translated(1) == size - 1, 'translate_ranks')
  call MPI_GROUP_FREE(part, ierr)
  call MPI_GROUP_FREE(group, ierr)

  call MPI_ALLOC_MEM(1000_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, ierr)
  call check(ierr == MPI_SUCCESS .and. base /= 0, 'alloc_mem')
  call MPI_GET_ADDRESS(rank, place, ierr)
  call check(place /= 0, 'get_address')
  start = MPI_WTIME()
  call check(MPI_WTIME() >= start .and. MPI_WTICK() > 0, 'clock')
  call MPI_COMM_SPLIT(MPI_COMM_WORLD, mod(rank, 2), -rank, comm, ierr)
  call MPI_COMM_SIZE(comm, n, ierr)
  call check(n == (size + 1 - mod(rank, 2)) / 2, 'split')
  call MPI_COMM_FREE(comm, ierr)

  call MPI_ALLREDUCE(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call close_checks(rank, counts)
  call MPI_FINALIZE(ierr)
end program
