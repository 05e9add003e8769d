# SPDX-License-Identifier: Apache-2.0
#
# The files that a C program needs besides the libraries: headers and pkg-config files. There are two prefixes, because the headers of
# an SDK define the side of the PCI bus: sdk for a DPU, sdk-host for a host. They share the libraries. Each other release has two
# more, such as sdk-2.2 and sdk-2.2-host.

function(lay_out_headers prefix side source)
    file(GLOB headers CONFIGURE_DEPENDS ${source}/*.h)
    set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${prefix}-headers.stamp)
    add_custom_command(
        OUTPUT ${stamp}
        COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DTARGET=${CMAKE_BINARY_DIR}/${prefix}/include -DSIDE=${side}
                -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/CopyHeaders.cmake
        COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
        DEPENDS ${headers} cmake/CopyHeaders.cmake
        VERBATIM)
    add_custom_target(${prefix}-headers ALL DEPENDS ${stamp})
endfunction()

# Lays out both prefixes of a release. The libraries are in the first one.
function(lay_out_sdk prefix source)
    lay_out_headers(${prefix} DPU ${source})
    lay_out_headers(${prefix}-host HOST ${source})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${prefix}-host)
    file(CREATE_LINK ../${prefix}/lib ${CMAKE_BINARY_DIR}/${prefix}-host/lib SYMBOLIC)
endfunction()

foreach(release IN LISTS releases)
    get_sdk_prefix(prefix ${release})
    lay_out_sdk(${prefix} ${api_dir}/${release}/include)
endforeach()

function(write_pkg_config name description requires)
    set(PC_NAME ${name})
    set(PC_DESCRIPTION ${description})
    set(PC_REQUIRES ${requires})
    set(PC_VERSION ${build_${default_release}})
    set(PC_ARCH ${CMAKE_SYSTEM_PROCESSOR})
    configure_file(cmake/doca.pc.in ${sdk_lib_dir}/pkgconfig/doca-${name}.pc @ONLY)
endfunction()

write_pkg_config(common "DOCA Core" "")
write_pkg_config(dma "DOCA DMA" doca-common)
write_pkg_config(rdma "DOCA RDMA" doca-common)
write_pkg_config(comch "DOCA Comch" doca-common)
