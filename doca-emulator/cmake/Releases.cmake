# SPDX-License-Identifier: Apache-2.0
#
# The libraries of each release of the description of the API, laid out as an SDK under <build>/sdk-<release>, or <build>/sdk for the
# default release. There are two kinds, whose libraries consist of
#
#   FRONT         the objects of the emulator and its sources in src/main/c/<release>; entry points give the functions their names
#   WORK_QUEUES   sources of src/main/c/workq over the same objects, in which the functions get other names
#
# State is in libdoca_common, once per process.

set(core_dir ${api_dir}/core)

# Makes core_<name>.o: all objects of one part of the emulator, with the names of the core. Compiling them again would take a third of
# the time of the whole build.
function(add_core name)
    set(core ${CMAKE_CURRENT_BINARY_DIR}/core_${name}.o)
    add_custom_command(
        OUTPUT ${core}
        COMMAND ${CMAKE_LINKER} -r -o ${core} $<TARGET_OBJECTS:${name}_objects>
        COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${core_dir}/core_entries.txt ${core}
        COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${core_dir}/core_renames.txt ${core}
        DEPENDS ${name}_objects $<TARGET_OBJECTS:${name}_objects> ${core_dir}/core_entries.txt ${core_dir}/core_renames.txt
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(core_${name} DEPENDS ${core})
endfunction()

foreach(name IN ITEMS common dma rdma comch)
    add_core(${name})
endforeach()

# Adds lib<doca_name>.so.<build> of a release, and a copy under its soname in a folder of the bundle.
function(add_release_library release kind build so_version name)
    string(REPLACE "." "_" tag ${release})
    string(REPLACE "." "" number ${release})
    set(abi ${tag})
    if(release VERSION_GREATER_EQUAL 3.0)
        set(number 0)
        set(abi 3_0)
    endif()
    set(target doca_${name}_${tag})
    set(release_dir ${api_dir}/${release})
    set(objects ${name})
    if(name STREQUAL comm_channel)
        set(objects comch)
    endif()
    set(source_dir ${PROJECT_SOURCE_DIR}/src/main/c)

    set(folders ${release}/${name})
    if(name STREQUAL comm_channel)
        # Those of all releases call the core.
        set(folders ${name})
    elseif(kind STREQUAL WORK_QUEUES)
        set(folders workq/${name} workq/${release}/${name})
        if(release VERSION_LESS 2.0)
            list(APPEND folders workq/1.x/${name})
        endif()
    endif()
    list(TRANSFORM folders REPLACE "(.+)" "${source_dir}/\\1/*.c")
    file(GLOB sources CONFIGURE_DEPENDS ${folders})
    if(kind STREQUAL WORK_QUEUES)
        list(APPEND sources ${release_dir}/${name}_forwards.c)
        set(names "SHELL:-include ${core_dir}/core_names.h" "SHELL:-include ${release_dir}/${name}_renames.h")
        set(headers ${release_dir}/include ${core_dir}/include)
        set(objects ${CMAKE_CURRENT_BINARY_DIR}/core_${objects}.o)
    else()
        set(names "SHELL:-include ${current_dir}/${name}_renames.h" "SHELL:-include ${core_dir}/front_names.h")
        set(headers ${header_dir} ${core_dir}/include)
        if(name STREQUAL comm_channel)
            list(TRANSFORM names REPLACE ${current_dir} ${release_dir})
            list(TRANSFORM headers REPLACE ${header_dir} ${release_dir}/include)
        elseif(name STREQUAL common AND comm_channel IN_LIST libraries_${release})
            list(APPEND sources ${source_dir}/workq/common/event_handle.c)
        endif()
        set(objects $<TARGET_OBJECTS:${objects}_objects>)
    endif()
    if(name STREQUAL common)
        list(APPEND sources ${source_dir}/common/abi.c)
    endif()
    add_library(${target} SHARED ${release_dir}/${name}_entries.c ${objects})
    if(kind STREQUAL WORK_QUEUES)
        string(REGEX REPLACE ".*/|.o$" "" core ${objects})
        add_dependencies(${target} ${core})
    endif()
    if(sources)
        add_library(${target}_front OBJECT ${sources})
        target_compile_options(${target}_front PRIVATE ${library_optimization} ${names})
        target_compile_definitions(${target}_front PRIVATE CORE_ALLOW_EXPERIMENTAL_API EMULATOR_ABI_NAME="${release}"
                                   EMULATOR_ABI_RELEASE=EMULATOR_RELEASE_${abi} EMULATOR_ABI_NUMBER=${number}
                                   EMULATOR_SDK_VERSION="${build}")
        target_include_directories(${target}_front PRIVATE ${headers} ${source_dir})
        set_target_properties(${target}_front PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_link_libraries(${target} PRIVATE ${target}_front)
    endif()
    target_include_directories(${target} PUBLIC ${release_dir}/include PRIVATE ${source_dir})
    target_link_libraries(${target} PRIVATE Threads::Threads)
    if(NOT name STREQUAL common)
        target_link_libraries(${target} PRIVATE doca_common_${tag})
    endif()

    target_compile_options(${target} PRIVATE ${library_optimization})
    # Running contexts have threads, which need the code of their library after dlclose().
    # Calls within a library stay inside it, even if another function of that name is loaded.
    set(version_script ${release_dir}/${name}.map)
    target_link_options(${target} PRIVATE -Wl,--version-script=${version_script} -Wl,-z,nodelete -Wl,-Bsymbolic-functions
                        ${wrapped_calls})
    get_sdk_prefix(prefix ${release})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME doca_${name}
        VERSION ${build}
        SOVERSION ${so_version}
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${prefix}/lib/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu
        LINK_DEPENDS ${version_script}
        # The libraries find each other in any folder.
        BUILD_RPATH_USE_ORIGIN ON
        BUILD_RPATH "\$ORIGIN")
    set(bundle_dir ${EMULATOR_BUNDLE_DIR}/linux-${CMAKE_SYSTEM_PROCESSOR}/${release})
    add_custom_command(
        TARGET ${target} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -E make_directory ${bundle_dir}
        COMMAND ${CMAKE_STRIP} --strip-unneeded $<TARGET_FILE:${target}>
                -o ${bundle_dir}/$<TARGET_SONAME_FILE_NAME:${target}>
        VERBATIM)
endfunction()

# Returns the folder of a release's tree.
function(get_sdk_prefix variable release)
    set(${variable} sdk-${release} PARENT_SCOPE)
    if(release STREQUAL default_release)
        set(${variable} sdk PARENT_SCOPE)
    endif()
endfunction()

file(STRINGS ${api_dir}/releases.tsv table)
foreach(line IN LISTS table)
    string(REPLACE "\t" ";" columns ${line})
    list(POP_FRONT columns release build kind so_version libraries)
    list(APPEND releases ${release})
    string(REPLACE " " ";" libraries_${release} ${libraries})
    set(so_version_${release} ${so_version})
    set(build_${release} ${build})
    foreach(name IN LISTS libraries_${release})
        add_release_library(${release} ${kind} ${build} ${so_version} ${name})
    endforeach()
endforeach()
configure_file(${api_dir}/releases.tsv ${EMULATOR_BUNDLE_DIR}/releases.tsv COPYONLY)

# Tests are linked with the newest release.
list(GET releases 0 newest_release)
string(REPLACE "." "_" newest_tag ${newest_release})
foreach(name IN LISTS libraries_${newest_release})
    add_library(doca_${name} ALIAS doca_${name}_${newest_tag})
endforeach()
