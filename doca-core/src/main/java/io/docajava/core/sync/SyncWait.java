/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.internal.engine.Deadlines;
import io.docajava.core.progress.IdleStrategy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * How a thread waits for a {@link SyncEvent}, made by {@link SyncEvent#await()}.
 *
 * {@snippet :
 * long value = syncEvent.await().mask(0xff).timeout(Duration.ofMillis(100)).untilEqual(7);
 * }
 *
 * <p>The waits of the SDK ({@code doca_sync_event_wait_gt}, {@code _eq}, {@code _neq}) stay in native code until the value is
 * there, be it for ever: nothing interrupts them, and a virtual thread would keep its carrier. So a wait is a loop of Java that
 * reads the value ({@code doca_sync_event_get}) and idles in between, which any number of threads can do at a time. It ends
 * when the value is there, when the time is up, when the thread is interrupted, when the event is closed, and when it cannot be
 * read any more, as its exporter is gone: what the value was last counts then as well. Like the SDK's it may miss a value that
 * is there for a short time only.
 *
 * <p>Immutable: each method gives another one.
 */
public final class SyncWait {

    private final SyncEvent event;
    private final long mask;
    private final Duration timeout;
    private final Supplier<? extends IdleStrategy> idle;

    SyncWait(SyncEvent event) {
        this(event, -1, Duration.ofNanos(Long.MAX_VALUE), IdleStrategy::backoff);
    }

    private SyncWait(SyncEvent event, long mask, Duration timeout, Supplier<? extends IdleStrategy> idle) {
        this.event = event;
        this.mask = mask;
        this.timeout = timeout;
        this.idle = idle;
    }

    /** Looks at some bits of the value only: the others are taken for 0. */
    public SyncWait mask(long newMask) {
        return new SyncWait(event, newMask, timeout, idle);
    }

    /** Waits so long at most; 0 or less looks once. What the idle strategy sleeps comes on top. Without it, for ever. */
    public SyncWait timeout(Duration newTimeout) {
        Objects.requireNonNull(newTimeout, "newTimeout");
        return new SyncWait(event, mask, newTimeout, idle);
    }

    /** Never leaves the processor, as the SDK's own waits: the lowest latency. Not for virtual threads. */
    public SyncWait busy() {
        return idle(IdleStrategy::busySpin);
    }

    /** Lets other threads run between two looks, as the SDK's {@code _yield} waits. */
    public SyncWait yielding() {
        return idle(IdleStrategy::yielding);
    }

    /**
     * Idles as a strategy does; without this it is {@link IdleStrategy#backoff()}, which lets other threads have the
     * processor, and virtual ones the carrier, at the price of a latency of up to 1 ms after a long wait.
     *
     * @param newIdle makes the strategy of one wait; not an event-driven one, as an event does not signal
     */
    public SyncWait idle(Supplier<? extends IdleStrategy> newIdle) {
        Objects.requireNonNull(newIdle, "newIdle");
        return new SyncWait(event, mask, timeout, newIdle);
    }

    /**
     * Waits until the masked value is greater than a number, both unsigned ({@code doca_sync_event_wait_gt}).
     *
     * @return the value, all bits of it
     * @throws IllegalArgumentException if no value with the mask is
     * @throws TimeoutException if the time is up; the message has the value
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the value cannot be read
     */
    public long untilGreaterThan(long number) throws TimeoutException, InterruptedException {
        return until(new SyncCondition(SyncCondition.Relation.GREATER, number, mask));
    }

    /** Waits until the masked value is a number ({@code doca_sync_event_wait_eq}), as {@link #untilGreaterThan}. */
    public long untilEqual(long number) throws TimeoutException, InterruptedException {
        return until(new SyncCondition(SyncCondition.Relation.EQUAL, number, mask));
    }

    /** Waits until the masked value is not a number ({@code doca_sync_event_wait_neq}), as {@link #untilGreaterThan}. */
    public long untilNotEqual(long number) throws TimeoutException, InterruptedException {
        return until(new SyncCondition(SyncCondition.Relation.NOT_EQUAL, number, mask));
    }

    private long until(SyncCondition condition) throws TimeoutException, InterruptedException {
        condition.check();
        IdleStrategy strategy = Objects.requireNonNull(idle.get(), "The supplier of the idle strategy gave none");
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
