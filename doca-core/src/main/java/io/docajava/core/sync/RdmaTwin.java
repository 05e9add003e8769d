/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * A second event with the value of one that runs as a context. Peers by RDMA get this one: the SDK exports an event that is used
 * by calls, and its release 2.5 ends the process when an event that runs as a context is exported. For one thread at a time.
 */
final class RdmaTwin {

    private final long device;
    private final String event;
    private final EventMemory memory;
    private final boolean hasOwnMemory;
    private @Nullable NativeEvent exported;

    /**
     * Plans the twin.
     *
     * @param plan of the event that runs as a context
     * @param event how messages name both
     */
    RdmaTwin(long device, EventOrigin.Local plan, String event) {
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

    /** The descriptor for peers; always the same one until the twin is destroyed. */
    byte[] export() {
        NativeEvent twin = exported;
        if (twin == null) {
            EventOrigin.Local plan =
                    new EventOrigin.Local(EnumSet.of(SyncLocation.REMOTE_NET), EnumSet.of(SyncLocation.CPU), memory);
            twin = plan.create(device, event).startOrDestroy();
            exported = twin;
        }
        return twin.exportRdma();
    }

    /** Destroys the twin, if there is one. The result is a {@code doca_error_t}. */
    int destroy() {
        NativeEvent twin = exported;
        int result = twin == null ? 0 : twin.destroy();
        if (result == 0) {
            exported = null;
        }
        return result;
    }

    /** Sets the value to 0, unless it is in memory of the user. */
    void reset() {
        if (hasOwnMemory) {
            memory.segment().set(JAVA_LONG, 0, 0);
        }
    }
}
