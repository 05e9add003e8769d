# SPDX-License-Identifier: Apache-2.0
#
# Fails if the object files of a library define a global name that does not begin with a prefix of PREFIXES, a regular expression.
# The prefix shows the library in stacks and symbol tables; in libdoca_common it shows the source file. Arguments: NM, PREFIXES,
# OBJECTS.

set(unprefixed "")
execute_process(COMMAND ${NM} --defined-only --extern-only --format=posix --print-file-name ${OBJECTS}
                OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${output}")
list(LENGTH lines num_names)
# Functions of the SDK, and those in place of the system's.
list(FILTER lines EXCLUDE REGEX ": (doca_|__wrap_|${PREFIXES})[^ ]* [A-Z] ")
foreach(line IN LISTS lines)
    string(APPEND unprefixed "  ${line}\n")
endforeach()
if(num_names EQUAL 0)
    message(FATAL_ERROR "No names found")
endif()
if(unprefixed)
    message(FATAL_ERROR "Names that do not begin with ${PREFIXES}:\n${unprefixed}")
endif()
