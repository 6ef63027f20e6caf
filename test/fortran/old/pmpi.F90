! SPDX-License-Identifier: BSD-3-Clause
! A tool in Fortran: the program's own MPI_BARRIER comes before the library's, and reaches that by PMPI_BARRIER.
#include "use.inc"
module tool
  integer :: barriers = 0
end module

subroutine MPI_BARRIER(comm, ierr)
  use tool
  integer :: comm, ierr
  barriers = barriers + 1
  call PMPI_BARRIER(comm, ierr)
end subroutine

program pmpi
  use checks
  use tool
  USE_MPI
  implicit none
  DECLARE_MPI
  integer :: rank, size, ierr, value

  call PMPI_INIT(ierr)
  call PMPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
  call PMPI_BARRIER(MPI_COMM_WORLD, ierr)
  call check(barriers == 2 .and. ierr == MPI_SUCCESS, 'the tool saw two barriers')
  call PMPI_ALLREDUCE(1, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(value == size .and. PMPI_WTIME() > 0, 'PMPI names')

  call MPI_ALLREDUCE(MPI_IN_PLACE, counts, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call close_checks(rank, counts)
  call PMPI_FINALIZE(ierr)
end program
