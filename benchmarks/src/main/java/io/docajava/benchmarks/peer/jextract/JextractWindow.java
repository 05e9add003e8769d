/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.peer.jextract;

import io.docajava.benchmarks.copy.Pattern;
import io.docajava.benchmarks.pair.Allocations;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Copies in rounds, like the twin in C. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public class JextractWindow {

    /** The minimum number of copies of one invocation. */
    static final int COPIES = 1024;

    /** Bytes per copy. */
    @Param({"64", "4096", "65536", "1048576"})
    public int size;

    /** Copies in flight. */
    @Param({"1", "32", "256"})
    public int depth;

    private final Allocations allocations = Allocations.ofThisThread();
    private JextractCopies copies;
    private long ended;

    /** Opens the device. */
    @Setup
    public void open() {
        copies = new JextractCopies(size, depth);
        for (int i = 0; i < depth; i++) {
            Pattern.fill(copies.source(i), i);
        }
    }

    /** Clears the destinations. */
    @Setup(Level.Iteration)
    public void clear() {
        for (int i = 0; i < depth; i++) {
            copies.target(i).fill((byte) 0);
        }
        ended = 0;
        allocations.begin();
    }

    /** Checks all copies. */
    @TearDown(Level.Iteration)
    public void check() {
        allocations.end(ended);
        for (int i = 0; i < depth; i++) {
            Pattern.check(copies.target(i), i);
        }
    }

    /** Closes the device. */
    @TearDown
    public void close() {
        copies.close();
    }

    /** One invocation. Its number of copies is a multiple of the depth. */
    void copyMany() {
        for (int done = 0; done < COPIES; done += depth) {
            copies.round();
        }
        ended += COPIES;
    }
}
