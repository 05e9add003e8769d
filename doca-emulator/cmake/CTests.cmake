# SPDX-License-Identifier: Apache-2.0
#
# Every src/test/c/*_test.c is a program that sees the libraries as any other program does.

file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/*_test.c)
foreach(source IN LISTS tests)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE -O0)
    list(APPEND test_programs ${name})
    target_link_libraries(${name} PRIVATE doca_common doca_dma doca_rdma doca_comch Threads::Threads ${CMAKE_DL_LIBS})
    if(name STREQUAL symbols_test)
        add_test(NAME ${name} COMMAND ${name} ${symbols_file})
    else()
        add_test(NAME ${name} COMMAND ${name})
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT 60)
endforeach()
