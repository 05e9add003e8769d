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
 * Keeps a number of operations in flight: each that ends is submitted again. It is filled before each iteration, and emptied
 * and checked after it. A subclass says by which API.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class Window {

    /** Operations of one invocation: always as many, so that JMH's times are of one whatever the depth. */
    public static final int OPERATIONS = 1024;

    /** Bytes of an operation. */
    @Param({"64", "4096", "65536", "1048576"})
    public int size;

    /** Operations in flight. */
    @Param({"1", "32", "256"})
    public int depth;

    private final Allocations allocations = Allocations.ofThisThread();
    private Lab lab;
    private ProgressEngine engine;
    private boolean isOpen;
    private long ended;
    private long goal;
    private @Nullable Throwable failure;

    /** Opens the device. */
    @Setup(Level.Trial)
    public void open() {
        engine = ProgressEngine.create().errorHandler(this::fail);
        lab = open(engine);
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

    /** Waits for the operations in flight and checks all of them. */
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
    public final void runMany() {
        goal += OPERATIONS;
        while (ended < goal && failure == null) {
            round(engine);
        }
        checkFailure();
    }

    /** Counts an operation that succeeded, and tells whether to submit another one. */
    protected final boolean next() {
        return next(1);
    }

    /** Counts operations that succeeded together, and tells whether to submit as many again. */
    protected final boolean next(int operations) {
        ended += operations;
        return isOpen;
    }

    /** Lets the benchmark fail. */
    protected final void fail(Throwable thrown) {
        failure = thrown;
    }

    private void checkFailure() {
        if (failure != null) {
            throw new IllegalStateException("An operation failed", failure);
        }
    }

    /** Opens what is needed for the whole trial. */
    protected abstract Lab open(ProgressEngine progress);

    /** Submits the first operation of each pair of buffers. */
    protected abstract void submitAll();

    /** Lets operations end, and goes on. */
    protected void round(ProgressEngine progress) {
        progress.progress();
    }

    /** Called when nothing is in flight. */
    protected void endIteration() {}

    /** Gives back what was taken of the lab. */
    protected void release() {}
}
