# SPDX-License-Identifier: Apache-2.0
#
# Writes the linker's version script of one library. Arguments: LIBRARY, SYMBOLS (the table of functions), OUTPUT, PRIVATE_NODE.
# Functions that this release lacks again, which have a seventh column, are left out.
#
# Stable functions are in the node DOCA_2 and the others in EXPERIMENTAL, as in the SDK. Functions that the emulator's
# libraries share begin with doca_emulator_ and have the private node, which differs for each ABI, so that a library
# never binds to a library of another ABI.

cmake_policy(VERSION 3.22)

file(STRINGS ${SYMBOLS} rows REGEX "^${LIBRARY}\t")
list(FILTER rows EXCLUDE REGEX "^[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]")
set(stable "")
set(experimental "")
foreach(row IN LISTS rows)
    string(REPLACE "\t" ";" fields "${row}")
    list(GET fields 1 function)
    list(GET fields 3 stability)
    list(APPEND ${stability} ${function})
endforeach()

set(script "")
foreach(node IN ITEMS stable:DOCA_2 experimental:EXPERIMENTAL)
    string(REPLACE ":" ";" node ${node})
    list(GET node 0 stability)
    list(GET node 1 name)
    if(${stability})
        list(JOIN ${stability} ";\n    " functions)
        string(APPEND script "${name} {\n  global:\n    ${functions};\n};\n")
    endif()
endforeach()
string(APPEND script "${PRIVATE_NODE} {\n  global:\n    doca_emulator_*;\n  local:\n    *;\n};\n")
file(WRITE ${OUTPUT} "${script}")
