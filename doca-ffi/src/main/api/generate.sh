#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Generates from the description of the API what GenerateApi.java lists, unless it is up to date. Maven and CMake call it.
#
#   generate.sh OUTPUT
set -eu

mkdir -p "${1:?the output folder is missing}"
output=$(cd "$1" && pwd)
cd "$(dirname "$0")"
root=../../../..
stamp=$output/up-to-date
if [ -e "$stamp" ] &&
    [ -z "$(find . ../include $root/doca-emulator/src/main/include -newer "$stamp")" ]; then
    exit 0
fi
"$($root/scripts/find-jdk)/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC GenerateApi.java $root "$output"
touch "$stamp"
