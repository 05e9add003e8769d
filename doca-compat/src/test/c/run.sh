#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds the translations, a double of an old SDK for each, and the tests, with and without the address and undefined-behaviour sanitizers,
# and runs the tests. Maven calls it.
#
#   run.sh BUILD    BUILD is a folder for what is built; build.sh has put the sources shared with the emulator into BUILD/../shared
set -eu

mkdir -p "${1:?the build folder is missing}"
build=$(cd "$1" && pwd)
cd "$(dirname "$0")"
main=../../main/c
api=../../../../doca-ffi/target/api

run() {
    out=$build/$1
    shift
    mkdir -p "$out"
    compile="gcc -std=c11 -D_GNU_SOURCE -DDOCA_ALLOW_EXPERIMENTAL_API -O0 -g1 -fPIC -Wall -Wextra -Werror $*"
    includes="-I . -I $main -I $build/../shared -I $api/current/include -I $api/current -I $api/compat"
    $compile -shared $includes -Wl,-Bsymbolic-functions -o "$out/libtranslation.so" $main/*.c $api/compat/forwards.c "$build"/../shared/*.c -ldl
    $compile -shared -Wno-unused-parameter $includes -Wl,-Bsymbolic -o "$out/double.so" old_sdk_double.c old_sdk_rest.c
    # The last functions of libdoca_dma alone.
    echo 'int doca_dma_as_ctx(void) { return 0; }' >"$out/lacking.c"
    $compile -shared -o "$out/lacking.so" "$out/lacking.c"
    $compile $includes -o "$out/translation_test" translation_test.c "$out/libtranslation.so" -ldl -Wl,-rpath,"$out"
    "$out/translation_test" "$out/double.so" "$out/lacking.so"

    includes="-I . -I $main/connections $includes"
    $compile -shared $includes -Wl,-Bsymbolic-functions -o "$out/libconnections.so" $main/connections/*.c $main/rdma_connection.c $main/refuse.c -ldl
    $compile -shared -Wno-unused-parameter $includes -Wl,-Bsymbolic -o "$out/connections_double.so" connections_double.c connections_rest.c
    $compile $includes -o "$out/connections_test" connections_test.c "$out/libconnections.so" -ldl -Wl,-rpath,"$out"
    "$out/connections_test" "$out/connections_double.so" "$out/lacking.so"
}

# Both at once, as compiling them takes one processor each.
run plain &
plain=$!
# What the last test leaves in flight, and the libraries, are there until the end.
export ASAN_OPTIONS=detect_leaks=0
run address -fsanitize=address,undefined -fno-sanitize-recover=all
wait "$plain"
