/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventEnd;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.internal.StackGuard;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link SyncEventEnd}. */
public final class SyncEventEndImpl implements SyncEventEnd {

    private final SyncEventContext event;
    private @Nullable SyncEventTaskType type;
    private long result;

    SyncEventEndImpl(SyncEventContext event) {
        this.event = event;
    }

    /** Describes another operation. */
    void set(SyncEventTaskType newType, long newResult) {
        if (newType != type) {
            type = newType;
        }
        result = newResult;
    }

    @Override
    public SyncEventContext event() {
        return event;
    }

    @Override
    public SyncEventTaskType type() {
        return Objects.requireNonNull(type);
    }

    @Override
    public long result() {
        return result;
    }

    @Override
    public String toString() {
        StackGuard.check();
        return NativeTaskType.words(type()) + " of the " + event;
    }
}
