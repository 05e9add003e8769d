/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

/**
 * An operation of a {@link SyncEventContext}: its type and its numbers.
 *
 * <p>Immutable. One operation can be submitted any number of times, also while it is in flight, and to any number of contexts.
 * {@link SyncEventContext#submit(SyncEventOperation, SyncEventHandler)} keeps no reference to it: where each submission needs
 * another number, the JIT compiler mostly removes the allocation.
 */
public final class SyncEventOperation {

    private static final SyncEventOperation GET = new SyncEventOperation(SyncEventTaskType.GET, 0, -1);

    private final SyncEventTaskType type;
    private final long number;
    private final long mask;

    private SyncEventOperation(SyncEventTaskType type, long number, long mask) {
        this.type = type;
        this.number = number;
        this.mask = mask;
    }

    /** Reads the value ({@code doca_sync_event_task_get}), which is the result. */
    public static SyncEventOperation get() {
        return GET;
    }

    /** Sets the value ({@code doca_sync_event_task_notify_set}); the result is that value. */
    public static SyncEventOperation set(long value) {
        return new SyncEventOperation(SyncEventTaskType.SET, value, -1);
    }

    /**
     * Adds to the value, in one step against all others who do so ({@code doca_sync_event_task_notify_add}). The result is the
     * value before.
     *
     * @param addend may be negative; what goes beyond 64 bits is lost
     */
    public static SyncEventOperation add(long addend) {
        return new SyncEventOperation(SyncEventTaskType.ADD, addend, -1);
    }

    /**
     * Waits until the value is a number ({@code doca_sync_event_task_wait_eq}). The result is that number, even if the value has
     * changed since.
     */
    public static SyncEventOperation waitEqual(long value) {
        return waitEqual(value, -1);
    }

    /**
     * As {@link #waitEqual(long)}, by some bytes of the value only; the others are taken for 0, also in the result.
     *
     * @param mask with all bits of 1, 2, 4 or 8 neighbouring bytes and no others
     * @throws IllegalArgumentException if the mask is anything else, or the value has other bits
     */
    public static SyncEventOperation waitEqual(long value, long mask) {
        return wait(SyncEventTaskType.WAIT_EQUAL, value, mask);
    }

    /**
     * Waits until the value is not a number ({@code doca_sync_event_task_wait_neq}). The result is the given number: the SDK does
     * not return the value. {@link #get()} reads it, if it has not changed again.
     *
     * @param value the number that it shall no longer be
     */
    public static SyncEventOperation waitNotEqual(long value) {
        return waitNotEqual(value, -1);
    }

    /** As {@link #waitNotEqual(long)}, by some bytes of the value only, as {@link #waitEqual(long, long)}. */
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

    /** Returns which tasks of a context run it. */
    public SyncEventTaskType type() {
        return type;
    }

    long number() {
        return number;
    }

    long mask() {
        return mask;
    }

    /** Returns the operation in words: {@code setting the event to 5}. */
    @Override
    public String toString() {
        return type.attempt("event", number, mask);
    }
}
