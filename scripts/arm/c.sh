# SPDX-License-Identifier: Apache-2.0
# Of test-on-arm: the C tests of the emulator, all in the initramfs.

build=$root/doca-emulator/target/native-arm
system=$work/c
echo "test-on-arm: building ..."
logged cmake -S "$root/doca-emulator" -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc
logged cmake --build "$build"

# The programs find their libraries by absolute paths, so that everything lies where it was built.
rm -rf "$system"
mkdir -p "$system/bin" "$system/lib" "$system/proc" "$system/sys" "$system/dev" "$system/tmp" "$system/etc"
cp "$busybox" "$system/bin/"
library=$(dirname "$(aarch64-linux-gnu-gcc -print-file-name=libc.so.6)")
for file in ld-linux-aarch64.so.1 libc.so.6 libpthread.so.0 libdl.so.2 libm.so.6 libgcc_s.so.1; do
    cp -L "$library/$file" "$system/lib/"
done
(cd / && find "${build#/}" -name CMakeFiles -prune -o \( -name '*.so*' -o -name '*_test' -o -name '*_plugin*' \) \
    ! -type d -print; find "${root#/}/doca-ffi/target/api" -name '*.tsv' -print) | (cd / && cpio -pdm --quiet "$system")
find "$system" -type f -name '*_test' -exec aarch64-linux-gnu-strip --strip-debug {} +

sed -n 's/^add_test(\[=\[\(.*\)\]=\] \(.*\))$/\1 \2/p' "$build/CTestTestfile.cmake" >"$work/all-tests"
if [ $# -gt 0 ]; then
    for name in "$@"; do
        grep "^$name " "$work/all-tests" || fail "there is no test $name."
    done >"$system/etc/tests"
else
    cp "$work/all-tests" "$system/etc/tests"
fi

cat >"$system/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /dev/shm
mount -t tmpfs none /dev/shm
mount -t tmpfs none /tmp
ip link set lo up
export HOME=/tmp
cd /tmp
echo "kernel: $(uname -rm)"
while read -r name command; do
    start=$(cut -d. -f1 /proc/uptime)
    if eval "timeout 300 $command" >/tmp/output 2>&1 </dev/null; then
        echo "passed: $name ($(($(cut -d. -f1 /proc/uptime) - start)) s)"
    else
        echo "FAILED: $name ($?)"
        tail -n 20 /tmp/output
    fi
done </etc/tests
echo "all have run"
poweroff -f
INIT
chmod +x "$system/init"
pack "$system" "$work/initramfs"
boot "$work/initramfs"
