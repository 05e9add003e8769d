/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.benchmarks.pair.Allocations;
import io.docajava.core.progress.ProgressEngine;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Keeps a number of copies in flight: each that ends is submitted again. It is filled before each iteration, and emptied
 * and checked after it. A subclass says by which API.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class Window {

    /** Copies of one invocation: always as many, so that JMH's times are per copy whatever the depth. */
    public static final int COPIES = 1024;

    /** Bytes per copy. */
    @Param({"64", "4096", "65536", "1048576"})
    public int size;

    /** Copies in flight. */
    @Param({"1", "32", "256"})
    public int depth;

    private final Allocations allocations = Allocations.ofThisThread();
    private CopyLab lab;
    private ProgressEngine engine;
    private boolean isOpen;
    private long ended;
    private long goal;
    private @Nullable Throwable failure;

    /** Opens the device. */
    @Setup(Level.Trial)
    public void open() {
        engine = ProgressEngine.create().errorHandler(this::fail);
        lab = new CopyLab(engine, size, depth, remote());
        prepare(lab);
    }

    /** Fills the window. */
    @Setup(Level.Iteration)
    public void fill() {
        lab.clear();
        isOpen = true;
        ended = 0;
        goal = 0;
        submitAll();
        allocations.begin();
    }

    /** Waits for the copies in flight and checks all of them. */
    @TearDown(Level.Iteration)
    public void drain() {
        allocations.end(ended);
        isOpen = false;
        while (engine.inFlight() > 0 && failure == null) {
            round(engine);
        }
        endIteration();
        checkFailure();
        lab.check();
    }

    /** Closes all that was opened. */
    @TearDown(Level.Trial)
    public void close() {
        release();
        lab.close();
        engine.close();
    }

    /** One invocation. */
    final void copyMany() {
        goal += COPIES;
        while (ended < goal && failure == null) {
            round(engine);
        }
        checkFailure();
    }

    /** Counts a copy that succeeded, and tells whether to submit another one. */
    final boolean next() {
        return next(1);
    }

    /** Counts copies that succeeded together, and tells whether to submit as many again. */
    final boolean next(int copies) {
        ended += copies;
        return isOpen;
    }

    /** Lets the benchmark fail. */
    final void fail(Throwable thrown) {
        failure = thrown;
    }

    private void checkFailure() {
        if (failure != null) {
            throw new IllegalStateException("A copy failed", failure);
        }
    }

    /** Which memory is that of another process. */
    CopyLab.Remote remote() {
        return CopyLab.Remote.NEITHER;
    }

    /** Takes what is kept for the whole trial. */
    abstract void prepare(CopyLab copies);

    /** Submits the first copy of each pair of buffers. */
    abstract void submitAll();

    /** Lets copies end, and goes on. */
    void round(ProgressEngine progress) {
        progress.progress();
    }

    /** Called when nothing is in flight. */
    void endIteration() {}

    /** Gives back what was taken by {@link #prepare}. */
    void release() {}
}
