# SPDX-License-Identifier: Apache-2.0
#
# Sets api_dir to the folder of what GenerateApi.java generates, and symbols_file to the table of all functions. They are up to date
# after each configuration, which a change of the description repeats.

set(api_dir ${CMAKE_CURRENT_LIST_DIR}/../../../target/api)
cmake_path(NORMAL_PATH api_dir)
set(symbols_file ${api_dir}/resources/io/docajava/ffi/symbols.tsv)
file(GLOB descriptions CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../include/*.h
     ${CMAKE_CURRENT_LIST_DIR}/../../../../doca-emulator/src/main/include/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${descriptions} ${CMAKE_CURRENT_LIST_DIR}/GenerateApi.java ${CMAKE_CURRENT_LIST_DIR}/generate.sh)
execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/generate.sh ${api_dir} COMMAND_ERROR_IS_FATAL ANY)
