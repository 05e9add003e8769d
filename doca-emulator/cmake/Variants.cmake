# SPDX-License-Identifier: Apache-2.0
#
# The same sources once more, each in a build folder of its own: for aarch64 as a part of the build, and with each
# sanitizer as a part of the target check, which runs all tests.

include(ExternalProject)

function(add_variant name)
    cmake_parse_arguments(PARSE_ARGV 1 variant "" "" "CMAKE_ARGS;OPTIONS")
    ExternalProject_Add(${name}
        PREFIX ${CMAKE_BINARY_DIR}/variants
        SOURCE_DIR ${CMAKE_SOURCE_DIR}
        BINARY_DIR ${CMAKE_BINARY_DIR}/${name}
        CMAKE_ARGS ${variant_CMAKE_ARGS}
        BUILD_ALWAYS ON
        INSTALL_COMMAND ""
        ${variant_OPTIONS})
endfunction()

find_program(aarch64_compiler aarch64-linux-gnu-gcc)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    # That is this very build.
elseif(aarch64_compiler)
    add_variant(aarch64
        CMAKE_ARGS
            -DCMAKE_SYSTEM_NAME=Linux
            -DCMAKE_SYSTEM_PROCESSOR=aarch64
            -DCMAKE_C_COMPILER=${aarch64_compiler}
            -DEMULATOR_BUNDLE_DIR=${EMULATOR_BUNDLE_DIR}
            -DEMULATOR_TESTS=OFF)
else()
    message(STATUS "No aarch64-linux-gnu-gcc: the emulator is built for ${CMAKE_SYSTEM_PROCESSOR} only")
endif()

add_variant(address CMAKE_ARGS -DEMULATOR_SANITIZE=address OPTIONS EXCLUDE_FROM_ALL ON)
add_variant(thread CMAKE_ARGS -DEMULATOR_SANITIZE=thread OPTIONS EXCLUDE_FROM_ALL ON)

set(run_tests ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error)
add_custom_target(check
    COMMAND ${run_tests} --test-dir ${CMAKE_BINARY_DIR}
    COMMAND ${run_tests} --test-dir ${CMAKE_BINARY_DIR}/address
    COMMAND ${run_tests} --test-dir ${CMAKE_BINARY_DIR}/thread
    DEPENDS address thread
    USES_TERMINAL
    VERBATIM)
