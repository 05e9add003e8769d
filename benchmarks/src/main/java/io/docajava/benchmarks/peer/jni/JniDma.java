/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer.jni;

import io.docajava.benchmarks.BenchMemory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Copies between two ranges of direct memory by JNI: a native call for each submission and each progress, and an upcall for each
 * completion. The device is the one with the PCI address in the environment variable {@code DOCA_BENCH_PCI}, or the first one that
 * can copy.
 *
 * <p>Created, used and closed by one thread.
 */
public final class JniDma implements AutoCloseable {

    /** The system property with the folder of {@code libdoca_bench_jni.so}, which the build creates. */
    public static final String LIBRARY_FOLDER = "doca.benchmarks.native";

    private final ByteBuffer source;
    private final ByteBuffer target;
    private final int depth;
    private long handle;
    private long numCompleted;
    private int lastCompleted = -1;

    /**
     * Opens the device and allocates all tasks. The DOCA libraries must be on the loader's path, or already loaded.
     *
     * @param size of a copy in bytes, at least 1
     * @param depth the number of tasks, at least 1
     * @throws IllegalStateException if a call of the SDK fails
     */
    public JniDma(int size, int depth) {
        if (size < 1 || depth < 1 || (long) size * depth > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "There is at least 1 copy of at least 1 byte, and less than 2 GiB in all, and not " + depth + " of "
                            + size);
        }
        Library.load();
        this.depth = depth;
        source = BenchMemory.sources((long) size * depth).asByteBuffer();
        target = BenchMemory.targets((long) size * depth).asByteBuffer();
        handle = open(source, target, size, depth);
    }

    /** Returns the source memory of all tasks, in the order of the tasks. */
    public ByteBuffer source() {
        return source.duplicate();
    }

    /** Returns the destination memory, in the same layout. */
    public ByteBuffer target() {
        return target.duplicate();
    }

    /**
     * Submits a copy.
     *
     * @param index of the task, from 0 to depth - 1
     * @throws IllegalStateException if it is in flight, or the SDK refuses it
     */
    public void submit(int index) {
        submit(handle(), Objects.checkIndex(index, depth));
    }

    /**
     * Reports all current completions by {@link #completed}.
     *
     * @return the number of completions
     * @throws IllegalStateException if a copy failed
     */
    public int progress() {
        return progress(handle(), this);
    }

    /** Returns the total number of completed copies. */
    public long numCompleted() {
        return numCompleted;
    }

    /** Returns the index of the last completed copy, or -1. */
    public int lastCompleted() {
        return lastCompleted;
    }

    /** Waits for the copies in flight, and closes the device. */
    @Override
    public void close() {
        if (handle != 0) {
            long closing = handle;
            handle = 0;
            close(closing);
        }
    }

    private long handle() {
        if (handle == 0) {
            throw new IllegalStateException("It is closed");
        }
        return handle;
    }

    /** Called by C. */
    @SuppressWarnings("UnusedMethod")
    private void completed(int index) {
        numCompleted++;
        lastCompleted = index;
    }

    private static native long open(ByteBuffer source, ByteBuffer target, int size, int depth);

    private static native void submit(long handle, int index);

    private static native int progress(long handle, JniDma listener);

    private static native void close(long handle);

    private static final class Library {

        static {
            load(folder());
        }

        private Library() {}

        /** Loads the library at the first call. */
        static void load() {}

        private static String folder() {
            String folder = System.getProperty(LIBRARY_FOLDER);
            if (folder == null) {
                throw new IllegalStateException(
                        "Set " + LIBRARY_FOLDER + " to the folder of libdoca_bench_jni.so, benchmarks/target/native");
            }
            return folder;
        }

        @SuppressWarnings("restricted")
        private static void load(String folder) {
            System.load(Path.of(folder, "libdoca_bench_jni.so").toAbsolutePath().toString());
        }
    }
}
