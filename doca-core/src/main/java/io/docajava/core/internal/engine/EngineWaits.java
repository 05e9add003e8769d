/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.DocaException;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.progress.IdleStrategy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jdk.jfr.Event;

/**
 * The waits of an engine's thread: for a condition, with progress and the idle strategy, or for an event. Only the engine's thread
 * calls, except for {@link #wakeUp()}.
 */
public final class EngineWaits {

    private final EngineImpl engine;
    private final EngineMembers members;
    private final Delivery delivery;
    private final EngineClock clock;
    private final EngineSleep sleep;
    private IdleStrategy idleStrategy;

    /** How long the idle strategy may sleep; limited during a wait with a deadline. */
    private long remainingNanos = Long.MAX_VALUE;

    /** True if the warning of {@link #openSleep()} was logged. */
    private boolean warnedOfPolling;

    EngineWaits(
            EngineImpl engine,
            IdleStrategy idleStrategy,
            EngineMembers members,
            Delivery delivery,
            EngineClock clock,
            EngineSleep sleep) {
        this.engine = engine;
        this.idleStrategy = idleStrategy;
        this.members = members;
        this.delivery = delivery;
        this.clock = clock;
        this.sleep = sleep;
    }

    public void setIdleStrategy(IdleStrategy strategy) {
        engine.checkUsable();
        idleStrategy = strategy;
    }

    /** Progresses until a condition holds. Returns false if it does not hold when the timeout has passed. */
    public boolean progressUntil(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        engine.checkUsable();
        long timeoutNanos = Deadlines.nanos(timeout);
        // Kept, since a condition may have an effect: it is not evaluated again after it held.
        AtomicBoolean held = new AtomicBoolean();
        BooleanSupplier conditionOrInterrupt = () -> {
            held.setPlain(condition.getAsBoolean());
            return held.getPlain() || Thread.currentThread().isInterrupted();
        };
        boolean ended = waitUntil(conditionOrInterrupt, timeoutNanos);
        if (ended && !held.getPlain() && Thread.interrupted()) {
            throw new InterruptedException(engine.description() + " was waiting for completions");
        }
        return held.getPlain();
    }

    /**
     * Progresses until a condition holds, regardless of interrupts. An interrupt would keep the thread from sleeping,
     * so it is cleared during the wait and restored afterwards.
     */
    public boolean progressUntil(BooleanSupplier condition, long timeoutNanos) {
        AtomicBoolean interrupted = new AtomicBoolean();
        BooleanSupplier conditionWithoutInterrupt = () -> {
            if (Thread.interrupted()) {
                interrupted.set(true);
            }
            return condition.getAsBoolean();
        };
        try {
            return waitUntil(conditionWithoutInterrupt, timeoutNanos);
        } finally {
            if (interrupted.get()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean waitUntil(BooleanSupplier condition, long timeoutNanos) {
        if (condition.getAsBoolean()) {
            return true;
        }
        long start = clock.read();
        while (true) {
            int work = engine.progress();
            if (condition.getAsBoolean()) {
                return true;
            }
            long remaining = timeoutNanos - (clock.readTime() - start);
            if (remaining <= 0) {
                return false;
            }
            idle(work, remaining);
        }
    }

    /** Calls the idle strategy, whose sleeps last at most the given time. */
    private void idle(int work, long nanos) {
        long before = remainingNanos;
        remainingNanos = Math.min(before, nanos);
        try {
            idleStrategy.idle(work);
        } finally {
            remainingNanos = before;
        }
    }

    /** Sleeps until an event or a wake-up, the deadline of the current wait, or an interrupt. */
    public void sleep() {
        engine.checkUsable();
        engine.refuseInCallback();
        await(remainingNanos);
    }

    /** Sleeps until an event or a wake-up. Returns false if neither came within the timeout. */
    public boolean awaitEvent(Duration timeout) throws InterruptedException {
        engine.checkUsable();
        engine.refuseInCallback();
        long start = System.nanoTime();
        long timeoutNanos = Deadlines.nanos(timeout);
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException(engine.description() + " was waiting for an event");
            }
            long remaining = Math.max(timeoutNanos - (System.nanoTime() - start), 0);
            if (await(remaining)) {
                return true;
            }
            if (remaining == 0) {
                return false;
            }
        }
    }

    private boolean await(long nanos) {
        long warnings = clock.warnings();
        clock.read();
        engine.flushContexts();
        boolean canSleep = !members.loseEventsWhenArmed() && openSleep();
        // The appender of a warning may have made calls that the next progress has to deliver.
        if (clock.warnings() != warnings || delivery.isAnyLater()) {
            return true;
        }
        Event asleep = Jfr.startSleep();
        long limit = Math.min(clock.nanosToWarning(), nanos);
        boolean mayProgress = true;
        if (canSleep) {
            mayProgress = sleep.await(limit);
        } else {
            sleep.pause(limit);
        }
        if (asleep != null) {
            asleep.commit();
        }
        clock.read();
        return mayProgress || clock.warnings() != warnings;
    }

    /**
     * Returns whether the descriptors of the sleep are open. If they cannot be opened, which may be true for a short time only, the
     * engine polls, and the next sleep tries again.
     */
    private boolean openSleep() {
        try {
            sleep.open();
            return true;
        } catch (DocaException refusal) {
            if (!warnedOfPolling) {
                warnedOfPolling = true;
                delivery.warn(
                        engine.description() + " polls each millisecond until it can sleep: " + refusal.getMessage());
            }
            return false;
        }
    }

    /** Ends the current sleep, or makes the next one end at once. Any thread may call. */
    public void wakeUp() {
        if (!sleep.wake()) {
            // The idle strategy may have parked the thread. If not, this costs little.
            LockSupport.unpark(engine.owner().thread());
        }
    }
}
