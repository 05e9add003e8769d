/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.internal.operation.Operation;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.internal.StackGuard;

/** The implementation of {@link SyncEventOperation}. */
public final class SyncEventOperationImpl implements SyncEventOperation {

    /** The greatest number that a task can wait for the value to exceed, by the documentation of the SDK. */
    private static final long MOST_TO_EXCEED = 254;

    private final SyncEventTaskType type;
    private final long number;
    private final long mask;

    private SyncEventOperationImpl(SyncEventTaskType type, long number, long mask) {
        this.type = type;
        this.number = number;
        this.mask = mask;
    }

    public static SyncEventOperation get() {
        return new SyncEventOperationImpl(SyncEventTaskType.GET, 0, -1);
    }

    public static SyncEventOperation set(long value) {
        return new SyncEventOperationImpl(SyncEventTaskType.SET, value, -1);
    }

    public static SyncEventOperation add(long addend) {
        return new SyncEventOperationImpl(SyncEventTaskType.ADD, addend, -1);
    }

    public static SyncEventOperation waitGreaterThan(long value) {
        if (value < 0 || value > MOST_TO_EXCEED) {
            throw new IllegalArgumentException(
                    "A task can wait for a value greater than 0 to " + MOST_TO_EXCEED + ", and not " + value);
        }
        return new SyncEventOperationImpl(SyncEventTaskType.WAIT_GREATER, value, -1);
    }

    public static SyncEventOperation waitEqual(long value) {
        return waitEqual(value, -1);
    }

    public static SyncEventOperation waitEqual(long value, long mask) {
        return wait(SyncEventTaskType.WAIT_EQUAL, value, mask);
    }

    public static SyncEventOperation waitNotEqual(long value) {
        return waitNotEqual(value, -1);
    }

    public static SyncEventOperation waitNotEqual(long value, long mask) {
        return wait(SyncEventTaskType.WAIT_NOT_EQUAL, value, mask);
    }

    private static SyncEventOperation wait(SyncEventTaskType type, long number, long mask) {
        StackGuard.check();
        checkMask(mask);
        new SyncCondition(NativeTaskType.relation(type), number, mask).check();
        return new SyncEventOperationImpl(type, number, mask);
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

    @Override
    public SyncEventTaskType type() {
        return type;
    }

    /** Sets the numbers of an operation of a pool. */
    Operation applyTo(Operation operation) {
        return operation.numbers(number, mask);
    }

    /** {@return a description of the operation, such as {@code setting the event to 5}} */
    @Override
    public String toString() {
        StackGuard.check();
        return NativeTaskType.attempt(type, "event", number, mask);
    }
}
