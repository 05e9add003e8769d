# SPDX-License-Identifier: Apache-2.0
#
# Builds the same sources in further folders: for aarch64 as a part of the build if EMULATOR_ARM is on, and with each sanitizer as a
# part of the target check, which runs all tests, if EMULATOR_VARIANTS is on.

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

if(EMULATOR_ARM AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    find_program(aarch64_compiler aarch64-linux-gnu-gcc)
    if(aarch64_compiler)
        add_variant(aarch64
            CMAKE_ARGS
                -DCMAKE_SYSTEM_NAME=Linux
                -DCMAKE_SYSTEM_PROCESSOR=aarch64
                -DCMAKE_C_COMPILER=${aarch64_compiler}
                -DEMULATOR_BUNDLE_DIR=${EMULATOR_BUNDLE_DIR}
                -DEMULATOR_TESTS=OFF)
    else()
        message(FATAL_ERROR "No aarch64-linux-gnu-gcc: EMULATOR_ARM cannot be ON")
    endif()
endif()
if(NOT EMULATOR_VARIANTS)
    return()
endif()

# The runtime of the thread sanitizer may fail if the kernel randomizes many bits of addresses.
find_program(setarch setarch)
if(setarch)
    execute_process(COMMAND ${setarch} -R true RESULT_VARIABLE setarch_result OUTPUT_QUIET ERROR_QUIET)
    if(setarch_result EQUAL 0)
        set(without_randomization ${setarch} -R)
    endif()
endif()

# Runs the tests of all variants, more at once than there are processors, because some only wait.
set(check_dependencies ${test_programs})
foreach(sanitizer IN LISTS available_sanitizers)
    add_variant(${sanitizer} CMAKE_ARGS -DEMULATOR_SANITIZE=${sanitizer} OPTIONS EXCLUDE_FROM_ALL ON)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_BINARY_DIR}/${sanitizer}/CTestTestfile.cmake)
    list(APPEND check_dependencies ${sanitizer})
endforeach()

add_custom_target(check
    COMMAND ${without_randomization} ${CMAKE_CTEST_COMMAND} --parallel 8 --output-on-failure --no-tests=error
            --test-dir ${CMAKE_BINARY_DIR}
    USES_TERMINAL VERBATIM)
add_dependencies(check ${check_dependencies})
