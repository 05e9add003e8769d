#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles libdocajava_pe_on_workq.so for this machine's architecture, and for the other one where a cross compiler is
# installed. What is up to date stays. Maven calls it.
#
#   build.sh OUTPUT    OUTPUT is the folder that gets linux-x86_64/ and linux-aarch64/
set -eu

mkdir -p "${1:?the output folder is missing}"
output=$(cd "$1" && pwd)
cd "$(dirname "$0")"
headers=../../../../doca-ffi/src/main/include
# Graphs run tasks in the same way as in the emulator. Copies, as a file finds the headers of its own folder first.
graph=../../../../doca-emulator/src/main/c/common

compile() {
    folder=$output/linux-$1
    library=$folder/libdocajava_pe_on_workq.so
    if [ -e "$library" ] && [ -z "$(find . "$headers" "$graph"/graph* -newer "$library")" ]; then
        return
    fi
    mkdir -p "$folder" "$output/../../../graph"
    cp "$graph"/graph.h "$graph"/graph.c "$graph"/graph_instance.c "$output/../../../graph"
    # Neither a build id nor debug information: the same source gives the same bytes.
    "$2" -std=c11 -D_GNU_SOURCE -DDOCA_ALLOW_EXPERIMENTAL_API -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror \
        -I . -I "$output/../../../graph" -I "$headers" -shared -s -Wl,-soname,libdocajava_pe_on_workq.so -Wl,--version-script=exports.map \
        -Wl,-Bsymbolic-functions -Wl,--build-id=none -Wl,-z,defs,-z,now,-z,relro -o "$library" *.c \
        "$output"/../../../graph/*.c -ldl
}

machine=$(uname -m)
for architecture in x86_64 aarch64; do
    if [ "$architecture" = "$machine" ]; then
        compile "$architecture" gcc
    elif command -v "$architecture-linux-gnu-gcc" >/dev/null 2>&1; then
        compile "$architecture" "$architecture-linux-gnu-gcc"
    else
        echo "No $architecture-linux-gnu-gcc: releases before 2.5 cannot be used on $architecture."
    fi
done
