# SPDX-License-Identifier: Apache-2.0
#
# Writes sdk_functions.h, which makes calls of each function of a list go through a pointer, and sdk_functions.c, which
# contains these pointers and the table that sets them. A function that the loaded libraries lack calls sdk_missing(), so
# a case reports "not available" instead of the program failing to link.
# Arguments: SYMBOLS, HEADER, SOURCE.

file(STRINGS ${SYMBOLS} lines)
set(pointers "")
set(definitions "")
set(entries "")
foreach(line IN LISTS lines)
    if(line MATCHES "^#" OR NOT line MATCHES "^([^\t]+)\t([^\t]+)\t")
        continue()
    endif()
    set(library ${CMAKE_MATCH_1})
    set(name ${CMAKE_MATCH_2})
    # A function that once had another signature must not be called on an older release.
    set(since 0)
    if(line MATCHES "^[^\t]+\t[^\t]+\t([0-9]+)[.]([0-9]+)\t[^\t]+\t[^\t]")
        math(EXPR since "${CMAKE_MATCH_1} * 100 + ${CMAKE_MATCH_2}")
    endif()
    string(APPEND pointers "extern __typeof__(${name}) *sdk_${name};\n#define ${name} sdk_${name}\n")
    string(APPEND definitions
        "static void missing_${name}(void) { sdk_missing(\"${name}\"); }\n"
        "__typeof__(${name}) *sdk_${name} = (__typeof__(${name}) *)missing_${name};\n")
    string(APPEND entries "    {\"${library}\", \"${name}\", &sdk_${name}, ${since}},\n")
endforeach()

file(GLOB headers RELATIVE ${HEADERS} ${HEADERS}/*.h)
set(includes "")
foreach(header IN LISTS headers)
    string(APPEND includes "#include <${header}>\n")
endforeach()

file(WRITE ${HEADER}.new "/* Written by WriteSdkFunctions.cmake. */\n#ifndef SDK_FUNCTIONS_H_\n#define SDK_FUNCTIONS_H_\n\n"
    "${includes}\n${pointers}\n#endif\n")
file(WRITE ${SOURCE}.new "/* Written by WriteSdkFunctions.cmake. */\n${includes}\n#include \"sdk.h\"\n\n${definitions}\n"
    "const struct sdk_function sdk_functions[] = {\n${entries}    {0}\n};\n")
file(COPY_FILE ${HEADER}.new ${HEADER} ONLY_IF_DIFFERENT)
file(COPY_FILE ${SOURCE}.new ${SOURCE} ONLY_IF_DIFFERENT)
