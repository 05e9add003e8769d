/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ended operation of a {@link SyncEventContext}, as its handler sees it. It is valid during the call of the handler, on that
 * thread: the next call describes another operation by the same object.
 */
@SuppressWarnings("ReferenceEquality") // a reference is stored only if it has changed
public final class SyncEventEnd {

    private final SyncEventContext event;
    private @Nullable SyncEventTaskType type;
    private long result;

    SyncEventEnd(SyncEventContext event) {
        this.event = event;
    }

    /** Describes another operation. */
    void set(SyncEventTaskType newType, long newResult) {
        if (newType != type) {
            type = newType;
        }
        result = newResult;
    }

    /** {@return the context that the operation was submitted to} */
    public SyncEventContext event() {
        return event;
    }

    /** {@return the type of the operation} */
    public SyncEventTaskType type() {
        return Objects.requireNonNull(type);
    }

    /**
     * Returns the result of the operation.
     *
     * @return the value that was read, or the value before an addition. The SDK returns no value for other operations: their result is
     *     the number of the operation, which is the value that was set, the value that a wait has found, or the value from which a
     *     wait has found the event to differ. 0 if the operation has failed
     */
    public long result() {
        return result;
    }

    @Override
    public String toString() {
        return type().words() + " of the " + event;
    }
}
