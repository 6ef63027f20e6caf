# SPDX-License-Identifier: BSD-3-Clause
# What `make install` puts beside the programs and libraries (which their own CMakeLists install).

foreach(library mpi mpi_abi mpicxx mpifort mpifort_abi)
  if(TARGET ${library})
    install(TARGETS ${library} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/mpich-compat DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starling FILES_MATCHING PATTERN "*.h" PATTERN "mpif.h" EXCLUDE)
if(STARLING_HAVE_FORTRAN)
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starling FILES_MATCHING PATTERN "mpif.h")
  install(DIRECTORY ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/fortran DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILES_MATCHING PATTERN "*.mod")
endif()
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.[1-9]")

# Manuals of the functions follow from the table in api/ and are not committed; without Python there are none.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  install(CODE "execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/gen/gen.py --man
                                \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man3 COMMAND_ERROR_IS_FATAL ANY)")
endif()

# The launcher's manual is its own help, so that it always tells what the program does.
if(TARGET mpiexec AND NOT CMAKE_CROSSCOMPILING)
  set(manual ${CMAKE_BINARY_DIR}/share/man/man1/mpiexec.1)
  add_custom_command(OUTPUT ${manual}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/share/man/man1
    COMMAND sh ${CMAKE_SOURCE_DIR}/tools/wrappers/manual.sh $<TARGET_FILE:mpiexec> ${manual}
    DEPENDS mpiexec tools/wrappers/manual.sh VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual})
  foreach(name mpiexec mpirun mpirun_rsh)
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME ${name}.1)
  endforeach()
endif()

# pkg-config: `starling` is the ABI that mpicc uses by default, the other two name theirs. The prefix follows from the place of the
# file, as it does in mpicc.
file(RELATIVE_PATH STARLING_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(abi mpich standard)
  set(STARLING_PC_ABI ${abi})
  if(abi STREQUAL standard)
    set(STARLING_PC_INCLUDE std)
    set(STARLING_PC_LIBRARY mpi_abi)
    set(STARLING_PC_FORTRAN mpifort_abi)
  else()
    set(STARLING_PC_INCLUDE mpich)
    set(STARLING_PC_LIBRARY mpi)
    set(STARLING_PC_FORTRAN mpifort)
  endif()
  set(names starling-${abi})
  if(abi STREQUAL STARLING_DEFAULT_ABI)
    list(APPEND names starling)
  endif()
  foreach(name ${names})
    configure_file(cmake/starling.pc.in ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/${name}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    if(STARLING_HAVE_FORTRAN)
      string(REPLACE starling starling-fortran fortran ${name})
      configure_file(cmake/starling-fortran.pc.in ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/${fortran}.pc @ONLY)
      install(FILES ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/${fortran}.pc
              DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    endif()
  endforeach()
endforeach()

# Shell completion asks the programs for their options, so there is nothing to keep in step.
set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES tools/wrappers/completion.bash DESTINATION ${completions} RENAME mpiexec)
foreach(name mpirun mpirun_rsh mpi_info mpi_nameserver mpicc mpicc_abi mpicxx mpicxx_abi mpic++ mpifort mpifort_abi mpif77 mpif90)
  install(FILES tools/wrappers/completion.bash DESTINATION ${completions} RENAME ${name})
endforeach()
