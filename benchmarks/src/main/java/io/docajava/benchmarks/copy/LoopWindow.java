/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

import io.docajava.benchmarks.pair.Allocations;
import io.docajava.core.progress.ProgressLoop;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Threads that copy by one context on a loop, in rounds. Each has its share of the copies in flight, at least one. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls open() before all else
public abstract class LoopWindow {

    /** The number of threads that submit copies. */
    static final int CALLERS = 4;

    /** Copies of one invocation, which is one round of all threads. */
    public static final int COPIES = 8192;

    /** Bytes per copy. */
    @Param({"64", "4096", "65536", "1048576"})
    public int size;

    /** The number of copies in flight of all threads together. */
    @Param({"1", "32", "256"})
    public int depth;

    private final Allocations allocations = Allocations.ofAllThreads();
    private ProgressLoop loop;
    private CopyLab lab;
    private Rounds rounds;
    private final List<Thread> threads = new ArrayList<>();
    private long ended;

    /** The kind of thread. */
    abstract Thread.Builder threads();

    /** Starts the loop and the threads. */
    @Setup(Level.Trial)
    public void open() {
        loop = ProgressLoop.start();
        int share = Math.max(depth / CALLERS, 1);
        lab = loop.call(engine -> new CopyLab(engine, size, share * CALLERS, CopyLab.Remote.NEITHER))
                .join();
        rounds = new Rounds(CALLERS);
        for (int i = 0; i < CALLERS; i++) {
            LoopCaller caller = new LoopCaller(lab, i * share, share, size);
            threads.add(threads().name("caller-" + i).start(() -> rounds.run(() -> caller.copy(COPIES / CALLERS))));
        }
    }

    /** Clears the destinations. */
    @Setup(Level.Iteration)
    public void clear() {
        loop.call(engine -> {
                    lab.clear();
                    return true;
                })
                .join();
        ended = 0;
        allocations.begin();
    }

    /** One invocation. */
    final void copyMany() {
        rounds.next();
        ended += COPIES;
    }

    /** Checks all copies. */
    @TearDown(Level.Iteration)
    public void check() {
        allocations.end(ended);
        loop.call(engine -> {
                    lab.check();
                    return true;
                })
                .join();
    }

    /** Ends the threads and the loop. */
    @TearDown(Level.Trial)
    public void close() throws InterruptedException {
        rounds.end();
        for (Thread thread : threads) {
            thread.join();
        }
        loop.call(engine -> {
                    lab.close();
                    return true;
                })
                .join();
        loop.close();
    }
}
