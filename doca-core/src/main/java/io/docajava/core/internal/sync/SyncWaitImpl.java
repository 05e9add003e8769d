/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.sync.SyncWait;
import io.docajava.ffi.internal.StackGuard;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** The implementation of {@link SyncWait}. */
public final class SyncWaitImpl implements SyncWait {

    private final SyncEventImpl event;
    private final long mask;
    private final Duration timeout;
    private final Supplier<? extends IdleStrategy> idle;

    SyncWaitImpl(SyncEventImpl event) {
        this(event, -1, Duration.ofNanos(Long.MAX_VALUE), IdleStrategy::backoff);
    }

    private SyncWaitImpl(SyncEventImpl event, long mask, Duration timeout, Supplier<? extends IdleStrategy> idle) {
        this.event = event;
        this.mask = mask;
        this.timeout = timeout;
        this.idle = idle;
    }

    @Override
    public SyncWait mask(long newMask) {
        return new SyncWaitImpl(event, newMask, timeout, idle);
    }

    @Override
    public SyncWait timeout(Duration newTimeout) {
        Objects.requireNonNull(newTimeout, "newTimeout");
        return new SyncWaitImpl(event, mask, newTimeout, idle);
    }

    @Override
    public SyncWait busy() {
        return idle(IdleStrategy::busySpin);
    }

    @Override
    public SyncWait yielding() {
        return idle(IdleStrategy::yielding);
    }

    @Override
    public SyncWait idle(Supplier<? extends IdleStrategy> newIdle) {
        Objects.requireNonNull(newIdle, "newIdle");
        return new SyncWaitImpl(event, mask, timeout, newIdle);
    }

    @Override
    public long untilGreaterThan(long number) throws TimeoutException, InterruptedException {
        StackGuard.check();
        return until(new SyncCondition(SyncCondition.Relation.GREATER, number, mask));
    }

    @Override
    public long untilEqual(long number) throws TimeoutException, InterruptedException {
        StackGuard.check();
        return until(new SyncCondition(SyncCondition.Relation.EQUAL, number, mask));
    }

    @Override
    public long untilNotEqual(long number) throws TimeoutException, InterruptedException {
        StackGuard.check();
        return until(new SyncCondition(SyncCondition.Relation.NOT_EQUAL, number, mask));
    }

    private long until(SyncCondition condition) throws TimeoutException, InterruptedException {
        condition.check();
        IdleStrategy strategy = Objects.requireNonNull(idle.get(), "The supplier of the idle strategy returned null");
        long timeoutNanos = Deadlines.nanos(timeout);
        long start = System.nanoTime();
        while (true) {
            long value = event.look(condition);
            if (condition.holds(value)) {
                return value;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("The wait for " + event + " to be " + condition + " was interrupted");
            }
            if (System.nanoTime() - start >= timeoutNanos) {
                throw new TimeoutException(event + " is " + SyncCondition.text(value) + " and not " + condition
                        + " after " + Deadlines.text(timeout));
            }
            strategy.idle(0);
        }
    }

    /** Returns the event and the mask. */
    @Override
    public String toString() {
        return "SyncWait for " + event + " with mask " + SyncCondition.text(mask);
    }
}
