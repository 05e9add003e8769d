/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** Counts the bytes that an iteration allocates on the heap, without JMH's allocations before and after it. */
public final class Allocations {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static volatile double last = Double.NaN;

    private final LongSupplier bytes;
    private long begin;

    private Allocations(LongSupplier bytes) {
        this.bytes = bytes;
    }

    /** Counts for the calling thread. */
    public static Allocations ofThisThread() {
        return new Allocations(THREADS::getCurrentThreadAllocatedBytes);
    }

    /** Counts for all threads. */
    public static Allocations ofAllThreads() {
        return new Allocations(THREADS::getTotalThreadAllocatedBytes);
    }

    /** Begins an iteration. */
    public void begin() {
        begin = bytes.getAsLong();
    }

    /** Ends an iteration with this number of operations. */
    public void end(long operations) {
        last = (double) (bytes.getAsLong() - begin) / operations;
    }

    /** Returns the bytes per operation of the last iteration; NaN if none has ended since the last call. */
    static double takeLast() {
        double taken = last;
        last = Double.NaN;
        return taken;
    }
}
