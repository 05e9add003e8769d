#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the helper library of doca-ffi, libdocajava.so, for this machine's architecture, and for the other one if a
# cross compiler is installed. Libraries that are up to date are not built again. Maven calls it.
#
#   build.sh OUTPUT    OUTPUT is the folder that gets linux-x86_64/ and linux-aarch64/
set -eu

mkdir -p "${1:?the output folder is missing}"
output=$(cd "$1" && pwd)
cd "$(dirname "$0")"
script=$(basename "$0")

compile() {
    folder=$output/linux-$1
    library=$folder/libdocajava.so
    if [ -e "$library" ] && [ -z "$(find docajava_*.c "$script" -newer "$library")" ]; then
        return
    fi
    mkdir -p "$folder"
    # Without a build id and debug information, the same source gives the same bytes.
    "$2" -std=c11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror -pthread -shared -s \
        -Wl,-soname,libdocajava.so -Wl,--build-id=none -Wl,-z,defs,-z,now,-z,relro \
        -o "$library" docajava_*.c
}

machine=$(uname -m)
for architecture in x86_64 aarch64; do
    if [ "$architecture" = "$machine" ]; then
        compile "$architecture" gcc
    elif command -v "$architecture-linux-gnu-gcc" >/dev/null 2>&1; then
        compile "$architecture" "$architecture-linux-gnu-gcc"
    else
        echo "No $architecture-linux-gnu-gcc: libdocajava.so is not built for $architecture," \
            "where completions will use upcalls and each submission a call of its own."
    fi
done
