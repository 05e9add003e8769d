/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer;

import io.docajava.benchmarks.copy.Pattern;
import io.docajava.benchmarks.pair.Allocations;
import io.docajava.benchmarks.peer.jni.JniDma;
import io.docajava.ffi.DocaLibrary;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Copies in rounds, like the twin in C. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class JniWindow {

    /** The number of copies of one invocation, a multiple of each depth. */
    static final int COPIES = 1024;

    /** Bytes per copy. */
    @Param({"64", "4096", "65536", "1048576"})
    public int size;

    /** Copies in flight. */
    @Param({"1", "32", "256"})
    public int depth;

    private final Allocations allocations = Allocations.ofThisThread();
    private JniDma copies;
    private long ended;

    /** Opens the device. */
    @Setup
    public void open() {
        // The library of the native methods uses the DOCA libraries that are already loaded.
        DocaLibrary.load().libraryPath("dma");
        copies = new JniDma(size, depth);
        for (int i = 0; i < depth; i++) {
            Pattern.fill(range(copies.source(), i), i);
        }
    }

    /** Clears the destinations. */
    @Setup(Level.Iteration)
    public void clear() {
        MemorySegment.ofBuffer(copies.target()).fill((byte) 0);
        ended = 0;
        allocations.begin();
    }

    /** Checks all copies. */
    @TearDown(Level.Iteration)
    public void check() {
        allocations.end(ended);
        for (int i = 0; i < depth; i++) {
            Pattern.check(range(copies.target(), i), i);
        }
    }

    /** Closes the device. */
    @TearDown
    public void close() {
        copies.close();
    }

    /** One invocation. */
    void copyMany() {
        for (int done = 0; done < COPIES; done += depth) {
            for (int i = 0; i < depth; i++) {
                copies.submit(i);
            }
            int inFlight = depth;
            while (inFlight > 0) {
                inFlight -= copies.progress();
            }
        }
        ended += COPIES;
    }

    private MemorySegment range(ByteBuffer memory, int index) {
        return MemorySegment.ofBuffer(memory).asSlice((long) index * size, size);
    }
}
