# SPDX-License-Identifier: BSD-3-Clause
# Language level, warnings, optimisation, sanitizers: the same for every target.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)  # for clang-tidy

# -O2: the kernels that gain from more ask for it themselves. Line tables make backtraces of users' jobs readable.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")

# Clang's DWARF 5 is more than Debian's valgrind can read.
add_compile_options("$<$<COMPILE_LANG_AND_ID:C,Clang>:-gdwarf-4>" "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-gdwarf-4>")

add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wshadow;-Wno-unused-parameter>")
# Calls of libc go through the GOT without a stub; what nobody uses is dropped, so that a rank maps little.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-plt> -ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections -Wl,-z,relro -Wl,--hash-style=gnu)
# On POWER, GNU ld (seen with 2.40) marks a library for the fast form of __tls_get_addr, in which a call must first look whether the
# variable has a fixed offset, but leaves out that look where -fno-plt has made the call: then all threads get one address.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "ppc64|powerpc64")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -Wl,--no-tls-get-addr-optimize STARLING_HAVE_NO_TLS_GET_ADDR_OPTIMIZE)
  if(STARLING_HAVE_NO_TLS_GET_ADDR_OPTIMIZE)
    add_link_options(-Wl,--no-tls-get-addr-optimize)
  endif()
endif()
if(STARLING_WERROR)
  add_compile_options(-Werror)
endif()

if(STARLING_LTO)
  include(CheckIPOSupported)
  check_ipo_supported()
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

if(STARLING_SANITIZE)
  # -O1 -g1: half the time of the compiler, complete stacks, and tests hardly slower.
  add_compile_options(-O1 -g1 -fsanitize=${STARLING_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${STARLING_SANITIZE})
endif()

find_program(STARLING_CCACHE ccache)
mark_as_advanced(STARLING_CCACHE)
if(STARLING_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${STARLING_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${STARLING_CCACHE})
endif()
