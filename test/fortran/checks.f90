! SPDX-License-Identifier: BSD-3-Clause
! What the Fortran test programs share: it knows nothing of MPI, so that every binding can use it.
module checks
  implicit none
  integer :: counts(2) = 0  ! checks that held, and that did not
contains
  subroutine check(holds, text)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: text
    if (holds) then
      counts(1) = counts(1) + 1
    else
      counts(2) = counts(2) + 1
      print '(2A)', 'does not hold: ', text
    end if
  end subroutine

  ! The closing line, with the sums over all ranks.
  subroutine close_checks(rank, sums)
    integer, intent(in) :: rank, sums(2)
    if (rank == 0) print '(I0, A, I0, A)', sums(1), ' passed, ', sums(2), ' failed'
  end subroutine
end module

! A call of this keeps the compiler from holding a variable in a register; MPICH 4.0's MPI_F_SYNC_REG wants an argument too many.
subroutine touch(variable)
  implicit none
  integer :: variable
  if (.false.) print *, variable
end subroutine
