/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.core.progress.ProgressEngine;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns if the thread of an engine neither progresses nor sleeps in the engine although operations or connects are in flight. That
 * thread cannot warn itself, for example while it waits in {@code CompletableFuture.allOf(...).join()}. A thread of the common pool
 * therefore looks at the engine from time to time.
 */
final class EngineWatch implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressEngine.class);

    /** The least time between two looks. A thread may be without a processor for some time. */
    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Weak, since an engine that was not closed must be collected. */
    private final WeakReference<EngineImpl> engine;

    private final long nanos;
    private volatile boolean ended;

    /** The round at the last look; -1 if nothing had to be done then, or that round was reported. Used by one look at a time. */
    private long neglectedRound = -1;

    private long reportedRound = -1;

    private EngineWatch(EngineImpl engine, long nanos) {
        this.engine = new WeakReference<>(engine);
        this.nanos = Math.max(nanos, LEAST_NANOS);
    }

    /**
     * Starts to watch an engine.
     *
     * @param nanos the time without progress after which a warning is due; {@link Long#MAX_VALUE} for no warning
     */
    static EngineWatch start(EngineImpl engine, long nanos) {
        EngineWatch watch = new EngineWatch(engine, nanos);
        watch.lookLater();
        return watch;
    }

    /** Ends the watch. */
    void end() {
        ended = true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a look that fails is the last one
    private void lookLater() {
        if (nanos != Long.MAX_VALUE) {
            CompletableFuture.runAsync(this, CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS));
        }
    }

    /** Looks at the engine once, and again after the time. */
    @Override
    public void run() {
        EngineImpl watched = engine.get();
        if (!ended && watched != null) {
            look(watched);
            lookLater();
        }
    }

    private void look(EngineImpl watched) {
        long round = watched.acquireRound();
        if (!watched.isWaitedFor() || round == reportedRound) {
            neglectedRound = -1;
        } else if (round != neglectedRound) {
            neglectedRound = round;
        } else {
            reportedRound = round;
            warn(watched);
        }
    }

    private void warn(EngineImpl watched) {
        Thread owner = watched.owner().thread();
        Throwable where = OwnerThread.stackOf(owner);
        SafeLog.write(() -> LOG.warn(
                "{} has not progressed for {} although operations or connects are in flight. They complete only while its"
                        + " thread progresses: call await or awaitAll there, or use a ProgressLoop",
                watched.description(),
                Deadlines.text(Duration.ofNanos(nanos)),
                where));
    }
}
