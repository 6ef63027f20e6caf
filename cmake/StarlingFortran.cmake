# SPDX-License-Identifier: BSD-3-Clause
# Looks for what the Fortran bindings need: gfortran, and its header for the descriptors of arrays. Without them the build leaves
# Fortran out, and the libraries that programs name are empty.
set(STARLING_HAVE_FORTRAN OFF)
option(STARLING_FORTRAN "Build the Fortran bindings where there is gfortran" ON)
if(STARLING_FORTRAN AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_Fortran_COMPILER))
  if(NOT CMAKE_Fortran_COMPILER)
    find_program(CMAKE_Fortran_COMPILER gfortran)
  endif()
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU)
      execute_process(COMMAND ${CMAKE_Fortran_COMPILER} -print-file-name=include/ISO_Fortran_binding.h
                      OUTPUT_VARIABLE header OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(EXISTS ${header})  # alone, as that folder has headers of GCC that another compiler must not see
        configure_file(${header} ${CMAKE_BINARY_DIR}/fortran/include/ISO_Fortran_binding.h COPYONLY)
        set(STARLING_HAVE_FORTRAN ON)
      endif()
    endif()
  endif()
endif()
if(NOT STARLING_HAVE_FORTRAN)
  message(STATUS "Fortran: left out (no gfortran here, or not wanted)")
endif()
set(CMAKE_Fortran_FLAGS_RELEASE "-O2 -g1")
