/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.internal.engine.LoopWait;
import io.docajava.core.internal.lifecycle.OwnerThread;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Work for the thread of a loop that the caller waits for, with a limit. Work that has not begun by then never runs. */
final class LoopVisit extends LoopCommand<Boolean> {

    /** The shortest limit: also a loop with nothing to do needs some time on a busy machine. */
    private static final long LEAST_NANOS = 1_000_000_000;

    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

    private final LoopThread loop;
    private final Runnable work;
    /** Set by the loop when it begins the work, or by the caller who gives it up. */
    private final AtomicBoolean taken = new AtomicBoolean();

    LoopVisit(LoopThread loop, Runnable work) {
        super(loop);
        this.loop = loop;
        this.work = work;
    }

    @Override
    void execute() {
        if (taken.compareAndSet(false, true)) {
            work.run();
            complete(true);
        }
    }

    /**
     * Waits until the work has run.
     *
     * @param attempt begins the messages: {@code "DMA context on ... cannot be closed"}
     * @param timeoutNanos as in {@link io.docajava.core.internal.engine.EngineLoop#run}
     */
    void await(String attempt, long timeoutNanos) {
        long limit = Math.clamp(timeoutNanos, LEAST_NANOS, LONGEST_NANOS);
        boolean done = LoopWait.await(this, limit);
        if (taken.compareAndSet(false, true)) {
            if (done) {
                throw new RejectedExecutionException(loop.title() + " has ended before this was done", exceptionNow());
            }
            // Lets the loop drop it when it comes to it.
            cancel(false);
            throw busy(
                    attempt + ": " + loop.title() + " has not come to that for " + text(limit),
                    " It will not do it later.");
        }
        // A restart waits for the stop and then for the start, each as long as the caller may wait.
        if (!done && !LoopWait.await(this, 2 * limit)) {
            throw busy(
                    attempt + ": " + loop.title() + " has begun that and has not ended it for " + text(2 * limit),
                    " It goes on.");
        }
        LoopWait.join(this);
    }

    private DocaException busy(String refusal, String prospect) {
        Throwable where = OwnerThread.stackOf(loop);
        @Nullable StackTraceElement user = firstOfUser(where);
        return new DocaException(
                refusal + ", as its thread is busy" + (user == null ? "" : " in " + user) + ": the cause shows where."
                        + prospect,
                where);
    }

    /** Returns the innermost call outside of the JDK, which tells more than what it waits in; null if there is none. */
    private static @Nullable StackTraceElement firstOfUser(Throwable where) {
        for (StackTraceElement call : where.getStackTrace()) {
            String module = call.getModuleName();
            if (module == null || !module.startsWith("java.")) {
                return call;
            }
        }
        return null;
    }

    private static String text(long nanos) {
        return Deadlines.text(Duration.ofNanos(nanos));
    }
}
