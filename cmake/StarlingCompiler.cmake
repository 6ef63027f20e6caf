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

add_compile_options(-Wall -Wextra -Wshadow -Wno-unused-parameter)
# Calls of libc go through the GOT without a stub; what nobody uses is dropped, so that a rank maps little.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-plt> -ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections -Wl,-z,relro -Wl,--hash-style=gnu)
if(STARLING_WERROR)
  add_compile_options(-Werror)
endif()

if(STARLING_LTO)
  include(CheckIPOSupported)
  check_ipo_supported()
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

if(STARLING_SANITIZE)
  add_compile_options(-fsanitize=${STARLING_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${STARLING_SANITIZE})
endif()

find_program(STARLING_CCACHE ccache)
mark_as_advanced(STARLING_CCACHE)
if(STARLING_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${STARLING_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${STARLING_CCACHE})
endif()
