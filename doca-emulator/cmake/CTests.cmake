# SPDX-License-Identifier: Apache-2.0
#
# Every src/test/c/*_test.c is a program that sees the libraries as any other program does.

# unload_test has no library but by this one, so that it can unload them.
add_library(unload_plugin MODULE ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/unload_plugin.c)
target_link_libraries(unload_plugin PRIVATE doca_common doca_rdma)

file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/*_test.c)
foreach(source IN LISTS tests)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE -O0)
    list(APPEND test_programs ${name})
    if(name STREQUAL unload_test)
        target_include_directories(${name} PRIVATE ${header_dir})
        target_link_libraries(${name} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
        add_dependencies(${name} unload_plugin)
        add_test(NAME ${name} COMMAND ${name} $<TARGET_FILE:unload_plugin>)
        # It leaves everything open on purpose.
        set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
        continue()
    endif()
    target_link_libraries(${name} PRIVATE doca_common doca_dma doca_rdma doca_comch Threads::Threads ${CMAKE_DL_LIBS})
    if(name STREQUAL symbols_test)
        add_test(NAME ${name} COMMAND ${name} ${symbols_file})
    else()
        add_test(NAME ${name} COMMAND ${name})
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
    if(name STREQUAL rdma_isolation_test)
        # It damages what processes share and forks while engines work; beside another test it has failed.
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
    if(name STREQUAL dma_exit_test)
        # It ends in the middle, on purpose.
        set_tests_properties(${name} PROPERTIES ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
    endif()
endforeach()
