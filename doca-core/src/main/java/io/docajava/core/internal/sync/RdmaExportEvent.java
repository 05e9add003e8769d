/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.sync.SyncLocation;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * A second event that shares its value with an event that runs as a context. This one is exported to RDMA peers, because release
 * 2.5 crashes the process when it exports an event that runs as a context. Used by one thread at a time.
 */
final class RdmaExportEvent {

    private final long device;
    private final String event;
    private final EventMemory memory;
    private final boolean hasOwnMemory;
    private @Nullable NativeEvent exported;

    /** Plans the second event of an event that runs as a context. The first export creates it; {@code event} names both. */
    RdmaExportEvent(long device, EventOrigin.Local plan, String event) {
        EventMemory given = plan.memory();
        this.device = device;
        this.event = event;
        this.hasOwnMemory = given == null;
        this.memory = given == null ? EventMemory.allocate() : given;
    }

    /** Returns the memory that holds the value of both events. */
    EventMemory memory() {
        return memory;
    }

    /** Returns the descriptor for peers, which is the same until the event is destroyed. */
    byte[] export() {
        NativeEvent current = exported;
        if (current == null) {
            EventOrigin.Local plan =
                    new EventOrigin.Local(EnumSet.of(SyncLocation.REMOTE_NET), EnumSet.of(SyncLocation.CPU), memory);
            current = plan.create(device, event).startOrDestroy();
            exported = current;
        }
        return current.exportRdma();
    }

    /** Destroys the event, if it exists. Returns a {@code doca_error_t}. */
    int destroy() {
        NativeEvent current = exported;
        int result = current == null ? 0 : current.destroy();
        if (result == 0) {
            exported = null;
        }
        return result;
    }

    /** Sets the value to 0, unless it is in the user's memory. */
    void reset() {
        if (hasOwnMemory) {
            memory.segment().set(JAVA_LONG, 0, 0);
        }
    }
}
