#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds a native image of the samples with GraalVM for JDK 25 or later, and runs dma_local_copy in it on the emulator. The
# Maven profile native-image calls this.
#
#   run.sh TARGET    TARGET is the build folder of the samples, with their jar and the folder lib
set -eu

target=${1:?the build folder is missing}
builder=${GRAALVM_HOME:+$GRAALVM_HOME/bin/native-image}
if ! [ -x "$builder" ]; then
    echo "native-image: set GRAALVM_HOME to the folder of GraalVM for JDK 25 or later${builder:+; there is no $builder}." >&2
    exit 1
fi

set -- "$target"/doca-samples-*.jar "$target"/lib/*.jar
class_path=$(IFS=: && echo "$*")
"$builder" --no-fallback --enable-native-access=ALL-UNNAMED -cp "$class_path" \
    -o "$target/samples" io.docajava.samples.Launcher
unset DOCA_LIBRARY_PATH
DOCA_BACKEND=emulator "$target/samples" dma_local_copy
