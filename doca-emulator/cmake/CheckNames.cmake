# SPDX-License-Identifier: Apache-2.0
#
# Fails if the object files of a library define a global name that does not begin with PREFIX. The prefix shows the library in
# stacks and symbol tables. Arguments: NM, PREFIX, OBJECTS.

set(unprefixed "")
set(num_names 0)
foreach(object IN LISTS OBJECTS)
    execute_process(COMMAND ${NM} --defined-only --extern-only --format=posix ${object}
                    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" lines "${output}")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE " .*" "" name "${line}")
        math(EXPR num_names "${num_names} + 1")
        # Functions of the SDK, and wrappers of system functions.
        if(NOT name MATCHES "^(doca_|__wrap_|${PREFIX})")
            string(APPEND unprefixed "  ${name} of ${object}\n")
        endif()
    endforeach()
endforeach()
if(num_names EQUAL 0)
    message(FATAL_ERROR "No names found")
endif()
if(unprefixed)
    message(FATAL_ERROR "Names that do not begin with ${PREFIX}:\n${unprefixed}")
endif()
