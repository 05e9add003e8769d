# SPDX-License-Identifier: Apache-2.0
# Of test-on-arm: samples and tests in Java. The initramfs mounts a disk with the JRE and what was built, at the same paths as here.

# Threads and loops, memory, copies, RDMA, comm channels, and two processes of each.
classes="LargePagesTest MmapImportTest ProgressLoopTest SyncEventTest SyncEventContextTest CopyTest LoopCopyTest AnyThreadTest
    DmaSeriesTest GraphTest RemoteCopyTest OperationsTest RdmaLoopTest RangeOperationsTest RemotePeerTest ConnectionTest CallbackTest"
samples="dma_local_copy pe_polling pe_event pe_reactive pe_task_error pe_task_resubmit pe_async_stop pe_multi_context graph"
modules="doca-ffi doca-compat doca-emulator doca-core doca-dma doca-rdma doca-comch"

if [ $built = no ]; then
    echo "test-on-arm: building ..."
    logged mvn -B -ntp -Dstyle.color=never -f "$root/pom.xml" package -Paarch64 -DskipTests -DskipCTests \
        -Dspotless.check.skip -pl samples -am
fi
libraries=$root/samples/target/arm-lib
[ -d "$libraries" ] || fail "$libraries is missing: build with -Paarch64, or leave out --built."

# The full name of a test class that a module has.
full_name() {
    for module in $modules; do
        [ -d "$root/$module/src/test/java" ] || continue
        found=$(cd "$root/$module/src/test/java" && find . -path "*/$(echo "$1" | tr . /).java" | head -n 1)
        if [ -n "$found" ]; then
            echo "$found" | sed 's/^\.\///; s/\.java$//' | tr / .
            return
        fi
    done
    fail "there is no test class $1 in $modules."
}
[ $# -gt 0 ] || set -- $classes
select=
for class in "$@"; do
    name=$(full_name "$class") || exit 1
    select="$select --select-class=$name"
done

system=$work/java
rm -rf "$system"
mkdir -p "$system/proc" "$system/sys" "$system/dev" "$system/run" "$system/root" "$system/tmp" "$system/etc"
cp -a "$cache/system/usr" "$cache/system/etc" "$system/"
for folder in lib bin; do
    ln -s "usr/$folder" "$system/$folder"
done

copy() {
    mkdir -p "$system$(dirname "$1")"
    cp -a "$1" "$system$1"
}
path=
for module in $modules; do
    copy "$root/$module/target/classes"
    [ ! -d "$root/$module/target/test-classes" ] || copy "$root/$module/target/test-classes"
    path=$path:$root/$module/target/test-classes:$root/$module/target/classes
done
copy "$libraries"
copy "$root/samples/target/lib"
sample_jar=$(echo "$root"/samples/target/doca-samples-*.jar)
copy "$sample_jar"

# The test of large pages has a library in C, and there is no compiler in the system.
pages=$root/doca-core/target/large-pages-arm.so
aarch64-linux-gnu-gcc -std=gnu11 -Wall -shared -fPIC -o "$pages" "$root/doca-core/src/test/c/large_pages.c"
copy "$pages"

{
    cat <<START
sample_limit=$sample_limit
test_limit=$test_limit
run_samples() {
    for sample in $samples; do
        limited \$sample_limit "\$sample" \$java -p $root/samples/target/lib:$sample_jar \\
            --enable-native-access=io.docajava.ffi -m io.docajava.samples/io.docajava.samples.Launcher \$sample
    done
}
run_tests() {
    cd $root/doca-core
    limited \$test_limit "tests in Java" \$java --enable-native-access=ALL-UNNAMED -Ddoca.backend=emulator \\
        "-Ddoca.test.jvm=\$flags" -Ddoca.test.largePages=$pages -cp "${path#:}:$libraries/*" \\
        org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=testfeed \\
        $select
}
START
    cat <<'START'
/usr/bin/busybox --install -s /usr/bin
export PATH=/usr/bin HOME=/root LC_ALL=C.UTF-8
mkdir -p /dev/shm
mount -t tmpfs none /dev/shm
mount -t tmpfs none /tmp
ip link set lo up
flags="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
java="/usr/lib/jvm/java-25-openjdk-arm64/bin/java $flags"

# limited SECONDS NAME COMMAND...: ends a command at its limit, after its JVMs have told what their threads do.
limited() {
    limit=$1
    name=$2
    shift 2
    start=$(cut -d. -f1 /proc/uptime)
    "$@" </dev/null &
    command=$!
    (
        sleep "$limit"
        echo "$name has reached its limit of $limit s; its threads:"
        kill -3 $(pidof java)
        sleep 10
        kill -9 $(pidof java)
    ) &
    watch=$!
    if wait $command; then result=passed; else result=FAILED; fi
    kill $watch 2>/dev/null
    echo "$result: $name ($(($(cut -d. -f1 /proc/uptime) - start)) s)"
}

echo "kernel: $(uname -rm)"
echo "page size: $(getconf PAGESIZE 2>/dev/null || awk '/KernelPageSize/ { print $2 " KiB"; exit }' /proc/self/smaps)"
run_samples
run_tests
echo "all have run"
sync
poweroff -f
START
} >"$system/etc/start"

# mke2fs makes the disk without being root.
disk=$work/disk
rm -f "$disk"
truncate -s 3G "$disk"
PATH=$PATH:/usr/sbin:/sbin mke2fs -q -t ext4 -O ^has_journal -E root_owner=0:0 -d "$system" "$disk"

initramfs=$work/mount
rm -rf "$initramfs"
mkdir -p "$initramfs/bin" "$initramfs/modules" "$initramfs/proc" "$initramfs/sys" "$initramfs/dev" "$initramfs/root"
cp "$busybox" "$initramfs/bin/"
drivers="lib/crc16 crypto/crc32c_generic fs/mbcache fs/jbd2/jbd2 fs/ext4/ext4 drivers/block/virtio_blk
    drivers/char/hw_random/rng-core drivers/char/hw_random/virtio-rng"
for module in $drivers; do
    file=$(echo "$cache/$kernel"/usr/lib/modules/*/kernel/"$module".ko.xz)
    # A kernel may contain what another one loads.
    [ ! -f "$file" ] || xz -dc "$file" >"$initramfs/modules/${module##*/}.ko"
done
cat >"$initramfs/init" <<INIT
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
for module in $(for module in $drivers; do echo "${module##*/}"; done | tr '\n' ' '); do
    [ ! -f /modules/\$module.ko ] || insmod /modules/\$module.ko
done
while [ ! -e /dev/vda ]; do
    sleep 0.1
done
mount -t ext4 -o noatime /dev/vda /root
for folder in proc sys dev; do
    mount --move /\$folder /root/\$folder
done
exec switch_root /root /usr/bin/busybox sh /etc/start
INIT
chmod +x "$initramfs/init"
pack "$initramfs" "$work/initramfs"
boot "$work/initramfs" -drive "file=$disk,format=raw,if=none,id=disk,cache=unsafe" -device virtio-blk-pci,drive=disk
