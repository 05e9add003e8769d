# SPDX-License-Identifier: Apache-2.0
#
# Every src/test/c/*_test.c is a program that uses the libraries like any other program.

# Tests of all variants run together and have different names.
if(EMULATOR_SANITIZE)
    set(test_suffix _${EMULATOR_SANITIZE})
endif()

# Where all tests run under a sanitizer, only some also run without one, unless EMULATOR_PLAIN_TESTS is on: those of the exports,
# and those whose children start threads or are forked by threads, which the sanitizers do not permit (see check.h and forks.h).
# The others rarely find anything more, and the tests in Java use the plain libraries.
if(available_sanitizers AND NOT EMULATOR_PLAIN_TESTS)
    set(only_some ON)
endif()

# Lists the sources of tests in a folder.
function(find_tests variable)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/)
    list(TRANSFORM ARGN APPEND /*_test.c)
    file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
    if(only_some)
        list(FILTER sources INCLUDE REGEX "/(symbols|dma_fork|fork|log|rdma_isolation|service_thread|sync_event_task)_test")
    endif()
    set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# The address sanitizer is built with checks of undefined behaviour, which only the libraries need.
if(EMULATOR_SANITIZE STREQUAL "address")
    set(test_options -O0 -fno-sanitize=undefined)
else()
    set(test_options -O0)
endif()

# unload_test loads the libraries only through this plugin, so that it can unload them.
add_library(unload_plugin MODULE ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/unload_plugin.c)
target_link_libraries(unload_plugin PRIVATE doca_common doca_rdma)

find_tests(tests .)
list(FILTER tests EXCLUDE REGEX "/symbols_test\\.c$")
foreach(source IN LISTS tests)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE ${test_options})
    list(APPEND test_programs ${name})
    if(name STREQUAL unload_test)
        target_include_directories(${name} PRIVATE ${header_dir})
        target_link_libraries(${name} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
        add_dependencies(${name} unload_plugin)
        add_test(NAME ${name}${test_suffix} COMMAND ${name} $<TARGET_FILE:unload_plugin>)
        # It intentionally leaves everything open.
        set_tests_properties(${name}${test_suffix} PROPERTIES TIMEOUT 300 ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
        continue()
    endif()
    target_link_libraries(${name} PRIVATE doca_common doca_dma doca_rdma doca_comch Threads::Threads ${CMAKE_DL_LIBS})
    if(name MATCHES "^(local_socket|mmap_pin|pe_timer|peer_memory|rdma_peer|rdma_slot|shared_block)_test$")
        # They call internal functions, or change the memory that the libraries share.
        target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src/main/c)
    endif()
    add_test(NAME ${name}${test_suffix} COMMAND ${name})
    set_tests_properties(${name}${test_suffix} PROPERTIES TIMEOUT 300)
    if(name MATCHES "^(comch_peer|mmap_stream|rdma_cm_death|rdma_peer|topology)_test$")
        # They take seconds, so they start first.
        set_tests_properties(${name}${test_suffix} PROPERTIES COST 10)
    endif()
    if(name STREQUAL dma_exit_test)
        # It intentionally exits early.
        set_tests_properties(${name}${test_suffix} PROPERTIES ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
    endif()
endforeach()

# Internal names of libdoca_common begin with the name of a source file of it, and those of the libraries above it with the name of
# their library. The sanitizers add other names.
if(NOT EMULATOR_SANITIZE)
    file(GLOB sources CONFIGURE_DEPENDS src/main/c/common/*.[ch] src/main/c/faults/*.[ch])
    list(TRANSFORM sources REPLACE "^.*/(.*)[.].$" "\\1_")
    list(JOIN sources "|" common_prefixes)
    foreach(library IN ITEMS common dma rdma comch)
        set(prefixes ${library}_)
        if(library STREQUAL common)
            set(prefixes ${common_prefixes})
        endif()
        add_test(NAME ${library}_names_test
                 COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} "-DPREFIXES=${prefixes}" "-DOBJECTS=$<TARGET_OBJECTS:${library}_objects>"
                         -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/CheckNames.cmake)
    endforeach()
endif()

add_library(rdma_users OBJECT src/test/c/workq/rdma_users.c)
target_compile_options(rdma_users PRIVATE ${test_options})
target_include_directories(rdma_users PRIVATE ${header_dir} ${CMAKE_CURRENT_SOURCE_DIR}/src/main/c)

# Each release has a test of its exports, and older ones have tests of their own, which use only its libraries.
find_tests(tests_2.5 2.5)
find_tests(tests_2.2 workq)
set(comm_channel_test ${tests_2.2})
list(FILTER comm_channel_test INCLUDE REGEX "/comm_channel_test\\.c$")
list(APPEND tests_2.5 ${comm_channel_test})
find_tests(tests_1.5 workq/1.5)
find_tests(tests_1.4 workq/1.4)
set(num_functions_2.5 418)
set(num_functions_2.2 261)
set(num_functions_1.5 115)
set(num_functions_1.4 56)
foreach(release IN LISTS releases)
    string(REPLACE "." "_" tag ${release})
    list(TRANSFORM libraries_${release} REPLACE "(.+)" "doca_\\1_${tag}" OUTPUT_VARIABLE libraries)
    foreach(source IN LISTS tests_${release} ITEMS ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/symbols_test.c)
        get_filename_component(test ${source} NAME_WE)
        set(name ${tag}_${test})
        add_executable(${name} ${source})
        target_compile_options(${name} PRIVATE ${test_options})
        if(release VERSION_LESS 1.5)
            target_compile_definitions(${name} PRIVATE doca_error_get_name=doca_get_error_string)
        elseif(release VERSION_LESS 2.5)
            target_compile_definitions(${name} PRIVATE doca_error_get_name=doca_get_error_name)
        endif()
        target_link_libraries(${name} PRIVATE ${libraries} Threads::Threads ${CMAKE_DL_LIBS})
        list(APPEND test_programs ${name})
        set(arguments "")
        if(test STREQUAL symbols_test)
            set(arguments ${api_dir}/${release}/functions.tsv ${symbols_file} ${so_version_${release}} ${num_functions_${release}})
        elseif(name STREQUAL 2_2_rdma_test)
            target_sources(${name} PRIVATE $<TARGET_OBJECTS:rdma_users>)
        endif()
        add_test(NAME ${name}${test_suffix} COMMAND ${name} ${arguments})
        set_tests_properties(${name}${test_suffix} PROPERTIES TIMEOUT 300)
    endforeach()
endforeach()

# A program that was linked with release 2.5 runs with the libraries of 3.0, which refuse it unless the user declares it new.
add_executable(2_5_linked_program ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/2.5/linked_program.c)
target_link_libraries(2_5_linked_program PRIVATE doca_common_2_5 doca_rdma_2_5)
list(APPEND test_programs 2_5_linked_program)
add_test(NAME 2_5_program_is_refused${test_suffix} COMMAND 2_5_linked_program)
set_tests_properties(2_5_program_is_refused${test_suffix} PROPERTIES
    PASS_REGULAR_EXPRESSION
    "DOCA emulator: RDMA is refused: the program calls doca_rdma_export.*use the emulator's libraries of 2\\.5.*DOCA_ERROR_NOT_SUPPORTED with 3\\.0\\.0058"
    TIMEOUT 60 ENVIRONMENT LD_LIBRARY_PATH=${sdk_lib_dir})
add_test(NAME 2_5_program_is_accepted${test_suffix} COMMAND 2_5_linked_program)
set_tests_properties(2_5_program_is_accepted${test_suffix} PROPERTIES
    PASS_REGULAR_EXPRESSION "DOCA_SUCCESS with 3\\.0\\.0058"
    TIMEOUT 60 ENVIRONMENT "LD_LIBRARY_PATH=${sdk_lib_dir};DOCA_EMULATOR_RELEASE=3.0")

# The same program, compiled with later headers, which mark it.
add_executable(linked_program ${CMAKE_CURRENT_SOURCE_DIR}/src/test/c/2.5/linked_program.c)
target_link_libraries(linked_program PRIVATE doca_common doca_rdma)
list(APPEND test_programs linked_program)
add_test(NAME program_is_accepted${test_suffix} COMMAND linked_program)
set_tests_properties(program_is_accepted${test_suffix} PROPERTIES
    PASS_REGULAR_EXPRESSION "DOCA_SUCCESS with ${build_${newest_release}}" TIMEOUT 60)

# The rules of doca-conformance, to which the tests above leave what they say of one process. Its own build runs them on the plain
# libraries, and this one under the sanitizers, if there are any.
if(EMULATOR_SANITIZE OR (EMULATOR_VARIANTS AND NOT available_sanitizers))
    include(${PROJECT_SOURCE_DIR}/../doca-conformance/Programs.cmake)
    add_conformance_programs()
    target_compile_options(conformance PRIVATE ${test_options})
    target_compile_options(conformance-2.2 PRIVATE ${test_options})
    list(APPEND test_programs conformance conformance-2.2)

    # Each release, and the newest one in both ways. Without threads there is nothing to find for the thread sanitizer.
    set(conformance_runs 2.2-threaded-1 2.5-inline-1 ${newest_release}-inline-0 ${newest_release}-threaded-1)
    if(EMULATOR_SANITIZE STREQUAL "thread")
        list(FILTER conformance_runs INCLUDE REGEX threaded)
    endif()
    foreach(run IN LISTS conformance_runs)
        string(REPLACE "-" ";" settings ${run})
        list(GET settings 0 release)
        list(GET settings 1 engine)
        list(GET settings 2 strict)
        get_sdk_prefix(prefix ${release})
        set(variant)
        if(release STREQUAL "2.2")
            set(variant -2.2)
        endif()
        set(name conformance_${run}${test_suffix})
        add_test(NAME ${name} COMMAND conformance${variant} --quiet
                 --sdk ${CMAKE_BINARY_DIR}/${prefix}/lib/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu
                 --differences ${conformance_dir}/known-differences${variant}.txt)
        # Processes find each other by names in the runtime folder, so tests that run at once must not share it. The thread sanitizer
        # would let each case wait for a second at its end.
        set_tests_properties(${name} PROPERTIES TIMEOUT 900 COST 20 ENVIRONMENT
            "TSAN_OPTIONS=atexit_sleep_ms=0;DOCA_EMULATOR_ENGINE=${engine};DOCA_EMULATOR_STRICT=${strict};DOCA_EMULATOR_RUNTIME_DIR=${CMAKE_CURRENT_BINARY_DIR}/${name}.run")
    endforeach()
endif()

# The programs of src/test/fuzz pass random inputs to parsers for EMULATOR_FUZZ_SECONDS. Only the memory sanitizers can
# detect errors.
if(EMULATOR_SANITIZE STREQUAL "address")
    function(add_fuzz_test source name)
        add_executable(${name} ${source})
        target_link_libraries(${name} PRIVATE ${ARGN} Threads::Threads)
        add_test(NAME ${name}${test_suffix} COMMAND ${name})
        # Its first inputs stay open.
        set_tests_properties(${name}${test_suffix} PROPERTIES TIMEOUT 400 ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
    endfunction()
    file(GLOB fuzz_programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/test/fuzz/*_fuzz.c)
    foreach(source IN LISTS fuzz_programs)
        get_filename_component(name ${source} NAME_WE)
        add_fuzz_test(${source} ${name} doca_common doca_dma doca_rdma doca_comch)
        target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src/main/c)
    endforeach()
endif()

# The headers of each SDK tree.
foreach(release IN LISTS releases)
    get_sdk_prefix(tree ${release})
    foreach(side IN ITEMS DPU HOST)
        set(prefix ${tree})
        if(side STREQUAL "HOST")
            string(APPEND prefix -host)
        endif()
        add_library(${prefix}-header-test OBJECT src/test/c/headers.c)
        add_dependencies(${prefix}-header-test ${prefix}-headers)
        target_compile_options(${prefix}-header-test PRIVATE ${test_options})
        target_compile_definitions(${prefix}-header-test PRIVATE SIDE=DOCA_ARCH_${side})
        target_include_directories(${prefix}-header-test PRIVATE ${CMAKE_BINARY_DIR}/${prefix}/include)
    endforeach()
endforeach()
