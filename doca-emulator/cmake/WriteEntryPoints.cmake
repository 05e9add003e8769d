# SPDX-License-Identifier: Apache-2.0
#
# Writes the entry points of one library, which let the fault fail-call fail any of its functions: LIBRARY, SYMBOLS (the table of
# functions), HEADERS (their folder), RENAMES and ENTRIES (the two outputs).
#
# RENAMES is included in front of all sources of the library. It gives each function that returns a doca_error_t another name in
# the symbol table. ENTRIES defines the function of the real name, which either fails or calls the other one. Functions with
# variable arguments cannot be forwarded, and so cannot fail.

file(STRINGS ${SYMBOLS} rows REGEX "^${LIBRARY}\t")
file(GLOB headers ${HEADERS}/doca_*.h)
set(includes "")
set(text "")
foreach(header IN LISTS headers)
    file(READ ${header} content)
    string(APPEND text "${content}")
    get_filename_component(name ${header} NAME)
    string(APPEND includes "#include <${name}>\n")
endforeach()
string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")

set(renames "")
set(entries "${includes}\n#include \"faults/entry_point.h\"\n\n")
foreach(row IN LISTS rows)
    string(REPLACE "\t" ";" fields "${row}")
    list(GET fields 1 function)
    if(NOT text MATCHES "[ *]${function} ?\\(")
        message(FATAL_ERROR "No header in ${HEADERS} declares ${function}")
    endif()
    if(NOT text MATCHES "doca_error_t ${function} ?\\(([^()]*)\\)")
        continue()
    endif()
    set(parameters "${CMAKE_MATCH_1}")
    string(STRIP "${parameters}" parameters)
    if(parameters MATCHES "\\.\\.\\.")
        continue()
    endif()
    set(arguments "")
    if(NOT parameters STREQUAL "void")
        string(REPLACE "," ";" items "${parameters}")
        foreach(item IN LISTS items)
            string(REGEX MATCH "([A-Za-z0-9_]+)(\\[[0-9]+\\])?$" argument "${item}")
            list(APPEND arguments ${CMAKE_MATCH_1})
        endforeach()
        list(JOIN arguments ", " arguments)
    endif()
    string(APPEND renames "#pragma redefine_extname ${function} entered_${function}\n")
    string(APPEND entries "ENTRY_POINT(${function}, (${parameters}), (${arguments}))\n")
endforeach()
file(WRITE ${RENAMES} "${renames}")
file(WRITE ${ENTRIES} "${entries}")
