# SPDX-License-Identifier: BSD-3-Clause
# Bash completion of Starling's programs. Options come from the programs' own help, settings from mpi_info.

_starling_options() {
  "$1" -help 2>/dev/null | grep -oE '(^|[ ,])-{1,2}[A-Za-z][A-Za-z0-9:_-]*=?' | tr -d ' ,' | sort -u
}

_starling() {
  local program=$1 word=$2 kinds=
  COMPREPLY=()
  case ${program##*/} in
    mpiexec | mpirun | mpirun_rsh)
      # After the program that is to run, its own arguments follow: files.
      if [[ $word == -* ]]; then
        kinds=$(_starling_options "$program")
      elif [[ $word == M* ]]; then
        kinds=$(mpi_info --names 2>/dev/null | sed 's/$/=/')
        compopt -o nospace
      fi
      ;;
    mpi_info)
      if [[ $word == -* ]]; then kinds=$(_starling_options "$program"); else kinds=$(mpi_info --names 2>/dev/null); fi
      ;;
    *) [[ $word == -* ]] && kinds=$(_starling_options "$program") ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$kinds" -- "$word")
  [[ ${#COMPREPLY[@]} -gt 0 ]] || mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
}

complete -F _starling -o filenames mpiexec mpirun mpirun_rsh mpi_info mpi_nameserver mpicc mpicc_abi mpicxx mpicxx_abi mpic++ \
  mpifort mpifort_abi mpif77 mpif90
