#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the translations for this machine's architecture, and for the other one where a cross compiler is installed:
# libdocajava_pe_on_workq.so for releases before 2.5, libdocajava_rdma_connections.so for RDMA from 2.5 to 2.8. Libraries that
# are up to date are not built again. Maven calls it.
#
#   build.sh OUTPUT    OUTPUT is the folder that gets linux-x86_64/ and linux-aarch64/
set -eu

mkdir -p "${1:?the output folder is missing}"
output=$(cd "$1" && pwd)
cd "$(dirname "$0")"
api=../../../../doca-ffi/target/api
sh ../../../../doca-ffi/src/main/api/generate.sh "$api"
# Contexts have the same properties as in the emulator, and graphs run tasks in the same way; graphs and all tasks keep their
# memory as there. The files are copied, because a file finds headers in its own folder first.
emulator=../../../../doca-emulator/src/main/c/common

# compile ARCHITECTURE COMPILER
compile() {
    shared=$output/../../../shared
    mkdir -p "$output/linux-$1" "$shared"
    for name in ctx_properties.c task_pool.c graph.h graph.c graph_instance.c object.h object.c array_store.h array_store.c property.h; do
        cp "$emulator/$name" "$shared"
    done
    link "$1" "$2" libdocajava_pe_on_workq.so -I "$shared" *.c "$api/compat/forwards.c" "$shared"/*.c
    link "$1" "$2" libdocajava_rdma_connections.so -I connections connections/*.c rdma_connection.c refuse.c
}

# link ARCHITECTURE COMPILER LIBRARY ARGUMENTS...
link() {
    library=$output/linux-$1/$3
    if [ -e "$library" ] && [ -z "$(find . "$api" "$emulator" -newer "$library")" ]; then
        return
    fi
    compiler=$2
    soname=$3
    shift 3
    # Without a build id and debug information, the same source gives the same bytes.
    "$compiler" -std=c11 -D_GNU_SOURCE -DDOCA_ALLOW_EXPERIMENTAL_API -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror \
        -I . -I "$api/current/include" -I "$api/current" -I "$api/compat" -shared -s "-Wl,-soname,$soname" -Wl,--version-script=exports.map \
        -Wl,-Bsymbolic-functions -Wl,--build-id=none -Wl,-z,defs,-z,now,-z,relro -o "$library" "$@" -ldl
}

machine=$(uname -m)
for architecture in x86_64 aarch64; do
    if [ "$architecture" = "$machine" ]; then
        compile "$architecture" gcc
    elif command -v "$architecture-linux-gnu-gcc" >/dev/null 2>&1; then
        compile "$architecture" "$architecture-linux-gnu-gcc"
    else
        echo "No $architecture-linux-gnu-gcc: releases before 2.5, and RDMA before 2.9, cannot be used on $architecture."
    fi
done
