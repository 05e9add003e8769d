/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.context.Handler;

/**
 * An operation of a {@link SyncEventContext}: its type and its numbers.
 *
 * <p>Instances are immutable. One operation can be submitted any number of times, even while it is in flight, and to any number
 * of contexts. {@link SyncEventContext#submit(SyncEventOperation, Handler)} keeps no reference to it, so if each
 * submission needs an operation with another number, the JIT compiler can usually remove the allocation.
 */
public final class SyncEventOperation {

    /** The greatest number that a task can wait for the value to exceed, by the documentation of the SDK. */
    private static final long MOST_TO_EXCEED = 254;

    private final SyncEventTaskType type;
    private final long number;
    private final long mask;

    private SyncEventOperation(SyncEventTaskType type, long number, long mask) {
        this.type = type;
        this.number = number;
        this.mask = mask;
    }

    /** {@return an operation that reads the value ({@code doca_sync_event_task_get}); its result is that value} */
    public static SyncEventOperation get() {
        return new SyncEventOperation(SyncEventTaskType.GET, 0, -1);
    }

    /**
     * Returns an operation that sets the value ({@code doca_sync_event_task_notify_set}).
     *
     * @param value all 64 bits, unsigned
     * @return an operation whose result is {@code value}
     */
    public static SyncEventOperation set(long value) {
        return new SyncEventOperation(SyncEventTaskType.SET, value, -1);
    }

    /**
     * Returns an operation that adds to the value, atomically with respect to all other additions ({@code
     * doca_sync_event_task_notify_add}).
     *
     * @param addend may be negative; the sum wraps around at 64 bits
     * @return an operation whose result is the value before the addition
     */
    public static SyncEventOperation add(long addend) {
        return new SyncEventOperation(SyncEventTaskType.ADD, addend, -1);
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
    public static SyncEventOperation waitGreaterThan(long value) {
        if (value < 0 || value > MOST_TO_EXCEED) {
            throw new IllegalArgumentException(
                    "A task can wait for a value greater than 0 to " + MOST_TO_EXCEED + ", and not " + value);
        }
        return new SyncEventOperation(SyncEventTaskType.WAIT_GREATER, value, -1);
    }

    /**
     * Returns an operation that waits until the value equals a number ({@code doca_sync_event_task_wait_eq}).
     *
     * @param value all 64 bits, unsigned
     * @return an operation whose result is {@code value}, even if the event's value has changed since
     */
    public static SyncEventOperation waitEqual(long value) {
        return waitEqual(value, -1);
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
    public static SyncEventOperation waitEqual(long value, long mask) {
        return wait(SyncEventTaskType.WAIT_EQUAL, value, mask);
    }

    /**
     * Returns an operation that waits until the value differs from a number ({@code doca_sync_event_task_wait_neq}). The SDK does
     * not return the event's value; use {@link #get()} to read it, but it may have changed again.
     *
     * @param value all 64 bits, unsigned
     * @return an operation whose result is {@code value}, which is not the value of the event
     */
    public static SyncEventOperation waitNotEqual(long value) {
        return waitNotEqual(value, -1);
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
    public static SyncEventOperation waitNotEqual(long value, long mask) {
        return wait(SyncEventTaskType.WAIT_NOT_EQUAL, value, mask);
    }

    private static SyncEventOperation wait(SyncEventTaskType type, long number, long mask) {
        checkMask(mask);
        new SyncCondition(type.relation(), number, mask).check();
        return new SyncEventOperation(type, number, mask);
    }

    private static void checkMask(long mask) {
        int lowest = Long.numberOfTrailingZeros(mask);
        long bits = mask == 0 ? 0 : mask >>> lowest;
        boolean wholeBytes =
                lowest % Byte.SIZE == 0 && (bits == 0xffL || bits == 0xffffL || bits == 0xffff_ffffL || bits == -1L);
        if (!wholeBytes) {
            throw new IllegalArgumentException(
                    "The mask of a wait has all bits of 1, 2, 4 or 8 neighbouring bytes, and is not 0x"
                            + Long.toHexString(mask));
        }
    }

    /** {@return the type of the tasks that can run this operation} */
    public SyncEventTaskType type() {
        return type;
    }

    long number() {
        return number;
    }

    long mask() {
        return mask;
    }

    /** {@return a description of the operation, such as {@code setting the event to 5}} */
    @Override
    public String toString() {
        return type.attempt("event", number, mask);
    }
}
