#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the completion recorder for this machine's architecture, and for the other one where a cross compiler is
# installed. What is up to date stays. Maven calls it.
#
#   build.sh OUTPUT    OUTPUT is the folder that gets linux-x86_64/ and linux-aarch64/
set -eu

here=$(cd "$(dirname "$0")" && pwd)
output=${1:?the output folder is missing}
source=$here/docajava_completions.c

compile() {
    folder=$output/linux-$1
    library=$folder/libdocajava_completions.so
    if [ -e "$library" ] && [ ! "$source" -nt "$library" ] && [ ! "$0" -nt "$library" ]; then
        return
    fi
    mkdir -p "$folder"
    # Neither a build id nor debug information: the same source gives the same bytes.
    "$2" -std=c11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror -shared -s \
        -Wl,-soname,libdocajava_completions.so -Wl,--build-id=none -Wl,-z,defs,-z,now,-z,relro \
        -o "$library" "$source"
}

machine=$(uname -m)
for architecture in x86_64 aarch64; do
    if [ "$architecture" = "$machine" ]; then
        compile "$architecture" gcc
    elif command -v "$architecture-linux-gnu-gcc" >/dev/null 2>&1; then
        compile "$architecture" "$architecture-linux-gnu-gcc"
    else
        echo "No $architecture-linux-gnu-gcc: the completion recorder is not built for $architecture," \
            "where completions will use upcalls."
    fi
done
