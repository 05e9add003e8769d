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
 * Keeps a number of operations in flight: each completed operation is submitted again. The window is filled before each iteration,
 * and drained and checked after it. Subclasses choose the API.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class Window {

    /** The number of operations of one invocation. It does not depend on the depth, so JMH's times are per operation. */
    public static final int OPERATIONS = 1024;

    /** The number of bytes of an operation. */
    @Param({"64", "4096", "65536", "1048576"})
    public int size;

    /** The number of operations in flight. */
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

    /** Closes all objects. */
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

    /** Counts a successful operation, and returns whether to submit another one. */
    protected final boolean next() {
        return next(1);
    }

    /** Counts operations that succeeded together, and returns whether to submit the same number again. */
    protected final boolean next(int operations) {
        ended += operations;
        return isOpen;
    }

    /** Fails the benchmark. */
    protected final void fail(Throwable thrown) {
        failure = thrown;
    }

    private void checkFailure() {
        if (failure != null) {
            throw new IllegalStateException("An operation failed", failure);
        }
    }

    /** Opens the objects for the whole trial. */
    protected abstract Lab open(ProgressEngine progress);

    /** Submits the first operation of each pair of buffers. */
    protected abstract void submitAll();

    /** Makes progress once. */
    protected void round(ProgressEngine progress) {
        progress.progress();
    }

    /** Called when nothing is in flight. */
    protected void endIteration() {}

    /** Releases the objects that were taken from the lab. */
    protected void release() {}
}
