# SPDX-License-Identifier: Apache-2.0
#
# Writes the headers by which the sources of an older release call the emulator's core: HEADERS (the folder of the current ABI),
# SYMBOLS (its table of functions), OUTPUT (a folder), ENTRIES and RENAMES (tables for objcopy), and
# NAMES (a header).
#
# The libraries of an older release contain a copy of the core. Its functions have the same names as theirs, but partly
# other parameters. So in those libraries doca_pe_create() of the core has the symbol doca_emulator_core_pe_create. RENAMES
# gives that symbol to the objects of the current libraries, after ENTRIES has removed the names behind entry points (see
# WriteEntryPoints.cmake). Sources of the older release include NAMES, which assigns that symbol to core_pe_create(), and
# then headers of OUTPUT, where the prefix doca_ is replaced by core_. Handle types of programs that exist in both, and
# equal types, keep their names.

cmake_policy(VERSION 3.22)

set(same_tags
    data mmap buf buf_arr buf_inventory dev dev_rep devinfo devinfo_rep dpa gpu gpu_buf_arr mtu_size pci_func_type rdma_gid)
set(same_types error_t mmap_memrange_free_cb_t)

file(STRINGS ${SYMBOLS} rows REGEX "^[a-z]")
set(entries "")
set(renames "")
set(names "")
foreach(row IN LISTS rows)
    string(REPLACE "\t" ";" fields "${row}")
    list(GET fields 1 function)
    string(REGEX REPLACE "^doca_" "core_" core_function "${function}")
    string(APPEND renames "${function} doca_emulator_${core_function}\n")
    string(APPEND entries "doca_emulator_${function} ${function}\n")
    string(APPEND names "#pragma redefine_extname ${core_function} doca_emulator_${core_function}\n")
endforeach()
file(WRITE ${ENTRIES} "${entries}")
file(WRITE ${RENAMES} "${renames}")
file(WRITE ${NAMES} "${names}")

file(GLOB headers ${HEADERS}/doca_*.h)
foreach(header IN LISTS headers)
    get_filename_component(name ${header} NAME)
    file(READ ${header} text)
    string(REGEX REPLACE "([^a-z0-9_])doca_" "\\1core_" text "${text}")
    string(REGEX REPLACE "([^A-Z0-9_])DOCA_" "\\1CORE_" text "${text}")
    if(NOT name MATCHES "^doca_(types|error)\\.h$")
        foreach(tag IN LISTS same_tags)
            string(REGEX REPLACE "(struct|union|enum) core_${tag}([^a-z0-9_])" "\\1 doca_${tag}\\2" text "${text}")
        endforeach()
        foreach(type IN LISTS same_types)
            string(REGEX REPLACE "([^a-z0-9_])core_${type}([^a-z0-9_])" "\\1doca_${type}\\2" text "${text}")
        endforeach()
        string(REPLACE "struct core_buf_pool" "struct doca_bufpool" text "${text}")
        string(REPLACE "struct core_log_backend" "struct doca_logger_backend" text "${text}")
        string(REGEX REPLACE "(#include <)core_(error|types)(\\.h>\n)" "\\1core_\\2\\3\\1doca_\\2\\3" text "${text}")
        # Types that the other release defines itself.
        string(REGEX REPLACE "struct doca_rdma_gid {[^}]*};\n" "" text "${text}")
        string(REGEX REPLACE "typedef [^\n]*(doca_mmap_memrange_free_cb_t)[^\n]*\n" "" text "${text}")
    endif()
    if(name MATCHES "^doca_(mmap|rdma)\\.h$")
        string(REPLACE "#include <core_error.h>" "#include <${name}>\n#include <core_error.h>" text "${text}")
    endif()
    string(REPLACE "doca_" "core_" name ${name})
    file(CONFIGURE OUTPUT ${OUTPUT}/${name} CONTENT "${text}" @ONLY)
endforeach()
