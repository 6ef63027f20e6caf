! SPDX-License-Identifier: BSD-3-Clause
! Heat in a plate that is cut into columns: neighbours exchange edges, which for the rows of a Fortran array are sections with gaps.
! mpi_f08 passes those as they are, also to non-blocking calls.
program heat
  use mpi_f08
  implicit none
  integer, parameter :: rows = 64, columns = 64, steps = 500
  real(8), asynchronous :: plate(0:rows + 1, 0:columns + 1)
  real(8) :: new(rows, columns), mine, total
  integer :: rank, size, up, down, step
  type(MPI_Request) :: request(4)
  type(MPI_Comm) :: line

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.false.], .true., line)
  call MPI_Comm_rank(line, rank)
  call MPI_Cart_shift(line, 0, 1, up, down)

  plate = 0
  if (rank == 0) plate(0, :) = 100  ! the hot edge
  do step = 1, steps
    call MPI_Irecv(plate(0, 1:columns), columns, MPI_REAL8, up, 0, line, request(1))
    call MPI_Irecv(plate(rows + 1, 1:columns), columns, MPI_REAL8, down, 0, line, request(2))
    call MPI_Isend(plate(1, 1:columns), columns, MPI_REAL8, up, 0, line, request(3))
    call MPI_Isend(plate(rows, 1:columns), columns, MPI_REAL8, down, 0, line, request(4))
    call MPI_Waitall(4, request, MPI_STATUSES_IGNORE)
    call MPI_F_sync_reg(plate)
    new = (plate(0:rows - 1, 1:columns) + plate(2:rows + 1, 1:columns) &
           + plate(1:rows, 0:columns - 1) + plate(1:rows, 2:columns + 1)) / 4
    plate(1:rows, 1:columns) = new
  end do

  mine = sum(new)
  call MPI_Reduce(mine, total, 1, MPI_REAL8, MPI_SUM, 0, line)
  if (rank == 0) print '(A, I0, A, I0, A, F0.2)', 'Heat on ', size, ' ranks after ', steps, ' steps: ', total
  call MPI_Comm_free(line)
  call MPI_Finalize()
end program
