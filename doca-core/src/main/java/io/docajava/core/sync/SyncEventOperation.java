/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.context.Handler;
import io.docajava.core.internal.sync.SyncEventOperationImpl;

/**
 * An operation of a {@link SyncEventContext}: its type and its numbers.
 *
 * <p>Instances are immutable. One operation can be submitted any number of times, even while it is in flight, and to any number
 * of contexts. {@link SyncEventContext#submit(SyncEventOperation, Handler)} keeps no reference to it, so if each
 * submission needs an operation with another number, the JIT compiler can usually remove the allocation.
 */
public sealed interface SyncEventOperation permits SyncEventOperationImpl {

    /** {@return an operation that reads the value ({@code doca_sync_event_task_get}); its result is that value} */
    static SyncEventOperation get() {
        return SyncEventOperationImpl.get();
    }

    /**
     * Returns an operation that sets the value ({@code doca_sync_event_task_notify_set}).
     *
     * @param value all 64 bits, unsigned
     * @return an operation whose result is {@code value}
     */
    static SyncEventOperation set(long value) {
        return SyncEventOperationImpl.set(value);
    }

    /**
     * Returns an operation that adds to the value, atomically with respect to all other additions ({@code
     * doca_sync_event_task_notify_add}).
     *
     * @param addend may be negative; the sum wraps around at 64 bits
     * @return an operation whose result is the value before the addition
     */
    static SyncEventOperation add(long addend) {
        return SyncEventOperationImpl.add(addend);
    }

    /**
     * Returns an operation that waits until the value is greater than a number ({@code doca_sync_event_task_wait_gt}). Only releases
     * from 2.0 to 2.5 have its tasks; {@link SyncEventCapabilities#tasks()} tells whether a device offers them. Before 2.5 the wait
     * cannot be aborted: the context refuses to stop until the event has a greater value.
     *
     * @param value from 0 to 254; during the wait, the event's value must not exceed 254 either, as the SDK compares wrongly then
     * @return an operation whose result is {@code value}, which is less than the value of the event
     * @throws IllegalArgumentException if {@code value} is out of that range
     */
    static SyncEventOperation waitGreaterThan(long value) {
        return SyncEventOperationImpl.waitGreaterThan(value);
    }

    /**
     * Returns an operation that waits until the value equals a number ({@code doca_sync_event_task_wait_eq}).
     *
     * @param value all 64 bits, unsigned
     * @return an operation whose result is {@code value}, even if the event's value has changed since
     */
    static SyncEventOperation waitEqual(long value) {
        return SyncEventOperationImpl.waitEqual(value);
    }

    /**
     * Returns an operation that waits until some bytes of the value equal those of a number ({@code
     * doca_sync_event_task_wait_eq}).
     *
     * @param value with no bits outside of the mask
     * @param mask all bits of 1, 2, 4 or 8 adjacent bytes, and no other bits; all other bytes count as 0
     * @return an operation whose result is {@code value}, even if the event's value has changed since
     * @throws IllegalArgumentException if the mask is not of that form, or the value has bits outside of it
     */
    static SyncEventOperation waitEqual(long value, long mask) {
        return SyncEventOperationImpl.waitEqual(value, mask);
    }

    /**
     * Returns an operation that waits until the value differs from a number ({@code doca_sync_event_task_wait_neq}). The SDK does
     * not return the event's value; use {@link #get()} to read it, but it may have changed again.
     *
     * @param value all 64 bits, unsigned
     * @return an operation whose result is {@code value}, which is not the value of the event
     */
    static SyncEventOperation waitNotEqual(long value) {
        return SyncEventOperationImpl.waitNotEqual(value);
    }

    /**
     * Returns an operation that waits until some bytes of the value differ from those of a number ({@code
     * doca_sync_event_task_wait_neq}).
     *
     * @param value all 64 bits, unsigned
     * @param mask all bits of 1, 2, 4 or 8 adjacent bytes, and no other bits; all other bytes count as 0
     * @return an operation whose result is {@code value}, which is not the value of the event
     * @throws IllegalArgumentException if the mask is not of that form
     */
    static SyncEventOperation waitNotEqual(long value, long mask) {
        return SyncEventOperationImpl.waitNotEqual(value, mask);
    }

    /** {@return the type of the tasks that can run this operation} */
    SyncEventTaskType type();
}
