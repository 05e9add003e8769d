# SPDX-License-Identifier: Apache-2.0
#
# Lists in available_sanitizers the sanitizers of this machine.

include(CheckCSourceRuns)

foreach(sanitizer IN ITEMS address thread)
    set(CMAKE_REQUIRED_FLAGS -fsanitize=${sanitizer})
    check_c_source_runs("int main(void) { return 0; }" has_${sanitizer}_sanitizer)
    if(has_${sanitizer}_sanitizer)
        list(APPEND available_sanitizers ${sanitizer})
    else()
        message(STATUS "No ${sanitizer} sanitizer: the tests do not run under it")
    endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)
