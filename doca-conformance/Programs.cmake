# SPDX-License-Identifier: Apache-2.0
#
# The programs of the rules. doca-conformance runs them on plain libraries, and the build of doca-emulator under the sanitizers. Include
# Api.cmake first.

set(conformance_dir ${CMAKE_CURRENT_LIST_DIR})
find_package(Threads REQUIRED)

# Adds a program that calls the functions of a release in the loaded libraries. Each call goes through a pointer. A function that the
# libraries lack calls sdk_missing(), so a case reports "not available" instead of the program failing to link.
function(add_conformance_program name release)
    add_executable(${name} ${ARGN} ${api_dir}/${release}/conformance/sdk_functions.c)
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE DOCA_ALLOW_EXPERIMENTAL_API PROGRAM="${name}")
    target_include_directories(${name} PRIVATE ${api_dir}/${release}/include ${conformance_dir}/src/main/c
                               ${api_dir}/${release}/conformance)
    target_link_libraries(${name} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

# Adds `conformance`, and `conformance-2.2` for the rules of that release, whose functions have other names and parameters.
function(add_conformance_programs)
    file(GLOB harness CONFIGURE_DEPENDS ${conformance_dir}/src/main/c/*.c)
    file(GLOB cases CONFIGURE_DEPENDS ${conformance_dir}/src/main/c/cases/*.c)
    add_conformance_program(conformance current ${harness} ${cases})
    list(FILTER harness EXCLUDE REGEX "/(fixture|rdma)\\.c$")
    file(GLOB cases CONFIGURE_DEPENDS ${conformance_dir}/src/main/c/workq/*.c)
    add_conformance_program(conformance-2.2 2.2 ${harness} ${cases})
endfunction()
