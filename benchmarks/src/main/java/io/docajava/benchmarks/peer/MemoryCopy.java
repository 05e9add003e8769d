/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer;

import io.docajava.benchmarks.BenchMemory;
import io.docajava.benchmarks.copy.Pattern;
import io.docajava.benchmarks.pair.Allocations;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The memory of a window of copies, copied range by range. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class MemoryCopy {

    /** The number of copies of one invocation. */
    static final int COPIES = 1024;

    /** Bytes per copy. */
    @Param({"64", "4096", "65536", "1048576"})
    public int size;

    /** The number of pairs of ranges. */
    @Param({"1", "32", "256"})
    public int depth;

    private final Allocations allocations = Allocations.ofThisThread();
    private long operations;
    private MemorySegment sources;
    private MemorySegment targets;

    /** Allocates and fills the memory. */
    @Setup
    public void open() {
        sources = BenchMemory.sources((long) size * depth);
        targets = BenchMemory.targets((long) size * depth);
        for (int i = 0; i < depth; i++) {
            Pattern.fill(sources.asSlice((long) i * size, size), i);
        }
    }

    /** Starts counting allocations. */
    @Setup(Level.Iteration)
    public void clear() {
        targets.fill((byte) 0);
        operations = 0;
        allocations.begin();
    }

    /** Checks all copies. */
    @TearDown(Level.Iteration)
    public void check() {
        allocations.end(operations);
        for (int i = 0; i < depth; i++) {
            Pattern.check(targets.asSlice((long) i * size, size), i);
        }
    }

    /** One invocation. */
    void copyMany() {
        for (int i = 0; i < COPIES; i++) {
            long offset = (long) (i % depth) * size;
            MemorySegment.copy(sources, offset, targets, offset, size);
        }
        operations += COPIES;
    }
}
