/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.internal.sync.SyncWaitImpl;
import io.docajava.core.progress.IdleStrategy;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A wait of a thread for a value of a {@link SyncEvent}, created by {@link SyncEvent#newWait()}.
 *
 * {@snippet :
 * long value = syncEvent.newWait().mask(0xff).timeout(Duration.ofMillis(100)).untilEqual(7);
 * }
 *
 * <p>The SDK's own waits ({@code doca_sync_event_wait_gt}, {@code _eq}, {@code _neq}) stay in native code until the condition
 * holds. They cannot be interrupted, and a virtual thread would block its carrier thread. Therefore this wait is a loop in Java
 * that reads the value ({@code doca_sync_event_get}) and idles in between. Any number of threads can wait at a time. A wait ends
 * when the condition holds, the timeout has passed, the thread is interrupted, the event is closed, or its value cannot be read
 * because the exporting process has closed it. In the last case the wait succeeds if the condition holds for the last value. Like
 * the SDK's waits, it may miss a value that the event has only for a short time.
 *
 * <p>Instances are immutable: methods that change a setting return another instance. Any thread may use them.
 */
public sealed interface SyncWait permits SyncWaitImpl {

    /**
     * Compares only some bits of the value.
     *
     * @param newMask the bits to compare; all others count as 0. The default is all 64 bits
     * @return a wait with this mask and otherwise the same settings
     */
    SyncWait mask(long newMask);

    /**
     * Limits the time of the wait. By default there is no limit.
     *
     * @param newTimeout the longest time to wait, which the last sleep of the idle strategy may exceed; 0 or less reads the value
     *     once
     * @return a wait with this timeout and otherwise the same settings
     */
    SyncWait timeout(Duration newTimeout);

    /**
     * Idles by {@link IdleStrategy#busySpin()}, as the SDK's waits do: the lowest latency.
     *
     * @return a wait that never releases the processor, so it does not suit virtual threads; otherwise with the same settings
     */
    SyncWait busy();

    /**
     * Idles by {@link IdleStrategy#yielding()}, as the SDK's {@code _yield} waits do.
     *
     * @return a wait that lets other threads run after each read, and otherwise has the same settings
     */
    SyncWait yielding();

    /**
     * Idles by a strategy. The default is {@link IdleStrategy#backoff()}, which releases the processor, or the carrier of a
     * virtual thread, and has a latency of up to 1 ms after a long wait.
     *
     * @param newIdle called at the beginning of each wait to get its strategy. Event-driven strategies do not work, since a sync
     *     event does not signal sleeping threads
     * @return a wait with this strategy and otherwise the same settings
     */
    SyncWait idle(Supplier<? extends IdleStrategy> newIdle);

    /**
     * Waits until the masked value is greater than a number, as {@code doca_sync_event_wait_gt} does.
     *
     * @param number unsigned, and less than the mask
     * @return the value that ended the wait, with all 64 bits
     * @throws IllegalArgumentException if no value with the mask is greater than {@code number}
     * @throws TimeoutException if the timeout has passed; the message has the value
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the value cannot be read
     */
    long untilGreaterThan(long number) throws TimeoutException, InterruptedException;

    /**
     * Waits until the masked value equals a number, as {@code doca_sync_event_wait_eq} does.
     *
     * @param number with no bits outside of the mask
     * @return the value that ended the wait, with all 64 bits
     * @throws IllegalArgumentException if {@code number} has bits outside of the mask
     * @throws TimeoutException if the timeout has passed; the message has the value
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the value cannot be read
     */
    long untilEqual(long number) throws TimeoutException, InterruptedException;

    /**
     * Waits until the masked value differs from a number, as {@code doca_sync_event_wait_neq} does.
     *
     * @param number all 64 bits, unsigned
     * @return the value that ended the wait, with all 64 bits
     * @throws IllegalArgumentException if both the number and the mask are 0, so that no value differs
     * @throws TimeoutException if the timeout has passed; the message has the value
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the event is closed, or its memory was freed
     * @throws DocaException if the value cannot be read
     */
    long untilNotEqual(long number) throws TimeoutException, InterruptedException;
}
