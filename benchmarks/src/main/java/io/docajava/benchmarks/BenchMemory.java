/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The memory that copies are measured in: pages of an anonymous file, which the worker in C maps too ({@code region.c}). How well
 * pages fit into the caches depends on their physical addresses, which changes large copies by some percent. With separate pages,
 * this difference would be part of the result.
 */
public final class BenchMemory {

    /** The environment variable with the path of the file, for the worker. */
    public static final String VARIABLE = "DOCA_BENCH_MEMORY";

    /** The size of each part: sources are in the first part of the file, and destinations in the second one. */
    private static final long PART = 4L << 30;

    private static final class Holder {
        private static final String PATH = create();
    }

    private BenchMemory() {}

    /** Returns the path of the file, which exists until this process ends. */
    public static String path() {
        return Holder.PATH;
    }

    /** Returns memory for sources. */
    public static MemorySegment sources(long bytes) {
        return map(0, bytes);
    }

    /** Returns memory for destinations. */
    public static MemorySegment targets(long bytes) {
        return map(PART, bytes);
    }

    private static MemorySegment map(long offset, long bytes) {
        if (bytes < 1 || bytes > PART) {
            throw new IllegalArgumentException("There are 1 to " + PART + " bytes of memory, not " + bytes);
        }
        try (FileChannel file = FileChannel.open(Path.of(path()), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, offset, bytes, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("restricted") // a benchmark may call C
    private static String create() {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type =
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            int file = (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("memfd_create"), type)
                    .invokeExact(arena.allocateFrom("doca-benchmarks"), 0);
            if (file < 0) {
                throw new IllegalStateException("memfd_create returned no file");
            }
            return "/proc/" + ProcessHandle.current().pid() + "/fd/" + file;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("memfd_create cannot be called", e);
        }
    }
}
