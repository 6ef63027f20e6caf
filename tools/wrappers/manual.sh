#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the manual page of the launcher from what `mpiexec -help` prints.
#
# manual.sh MPIEXEC OUTPUT
set -eu
{
  cat <<'END'
.\" SPDX-License-Identifier: BSD-3-Clause
.TH MPIEXEC 1 "" "Starling"
.SH NAME
mpiexec, mpirun, mpirun_rsh \- run an MPI program
.SH DESCRIPTION
Starts the ranks of a parallel program, binds them to processors, and ends all of them when one fails.
.nf

END
  # Backslashes and leading dots or quotes mean something to troff; a hyphen is one only behind a backslash.
  "$1" -help </dev/null | sed -e 's/\\/\\e/g' -e "s/^\([.']\)/\\\\\&\1/" -e 's/-/\\-/g'
  cat <<'END'
.fi
.SH SEE ALSO
.BR mpi_info (1)
for the settings,
.BR mpicc (1)
END
} >"$2"
