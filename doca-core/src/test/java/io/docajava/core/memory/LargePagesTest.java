/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.ChildJvm;
import io.docajava.testing.NeedsEmulator;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests memory on a machine with pages of 64 KiB, as kernels of newer DPUs have them. A library in front of the C library
 * reports this page size only to doca-java and the emulator, as the JVM itself would not survive it.
 */
@NeedsEmulator
@Timeout(600)
class LargePagesTest {

    private static final int PAGE = 64 * 1024;
    private static final Path SOURCE =
            Path.of("src", "test", "c", "large_pages.c").toAbsolutePath();

    @TempDir
    private Path folder;

    /** The library, which scripts/test-on-arm has built where no compiler is. */
    private Path library() throws Exception {
        String built = System.getProperty("doca.test.largePages");
        if (built != null) {
            return Path.of(built);
        }
        assumeThat(System.getenv("PATH").split(File.pathSeparator))
                .as("gcc on the PATH")
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "gcc")));
        Path library = folder.resolve("pages.so");
        Process compiler = new ProcessBuilder(
                        "gcc", "-std=gnu11", "-Wall", "-shared", "-fPIC", "-o", library.toString(), SOURCE.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(output).isZero();
        return library;
    }

    @Test
    void memoryBeginsAtALargePage() throws Exception {
        List<String> lines =
                new ChildJvm().environment("LD_PRELOAD", library().toString()).run(Main.class);

        assertThat(lines)
                .containsExactly(
                        "1 byte: behind a page 0, exported 1, imported 1",
                        "4097 bytes: behind a page 0, exported 4097, imported 4097",
                        "1048576 bytes: behind a page 0, exported 1048576, imported 1048576",
                        "recursion: StackOverflowError");
    }

    /** Allocates, exports and imports. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) {
            try (Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
                    Device peer = Device.open(DeviceFilter.ibDevice("mlx5_1"))) {
                for (long bytes : List.of(1L, 4097L, 1L << 20)) {
                    try (Mmap memory = Mmap.allocate(device, bytes, Access.LOCAL_READ_WRITE.plus(Access.RDMA_WRITE));
                            Mmap imported = Mmap.fromExport(peer, memory.exportRdma(device))) {
                        System.out.println(bytes + (bytes == 1 ? " byte" : " bytes") + ": behind a page "
                                + memory.segment().address() % PAGE + ", exported " + memory.byteSize() + ", imported "
                                + imported.byteSize());
                    }
                }
                try (Mmap memory = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE.plus(Access.RDMA_WRITE))) {
                    System.out.println(recur(memory, device));
                } catch (StackOverflowError e) {
                    System.out.println("recursion: StackOverflowError");
                }
            }
        }

        /** Recurses, as native calls reserve stack space in units of pages. */
        @SuppressWarnings("InfiniteRecursion") // recursion is intended
        private static int recur(Mmap memory, Device device) {
            return memory.exportRdma(device).toBytes().length + recur(memory, device);
        }
    }
}
