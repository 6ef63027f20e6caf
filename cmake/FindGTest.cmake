# SPDX-License-Identifier: BSD-3-Clause
# find_package(GTest) of this project. For the machine we build on: the installed library. For another one (cross compilers)
# there is none, so it is built from the source that Debian's package googletest carries.
if(NOT CMAKE_CROSSCOMPILING)
  include(${CMAKE_ROOT}/Modules/FindGTest.cmake)
  return()
endif()

if(NOT TARGET GTest::gtest_main)
  set(BUILD_GMOCK OFF)
  set(INSTALL_GTEST OFF)
  add_subdirectory(/usr/src/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
endif()
set(GTest_FOUND TRUE)
