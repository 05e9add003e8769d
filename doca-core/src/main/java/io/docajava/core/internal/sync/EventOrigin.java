/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncLocation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The origin of an event: created by this process, or imported. */
sealed interface EventOrigin {

    /** Returns the words before the device in messages: {@code "on"}, or {@code "imported on"}. */
    String on();

    /** Creates the native event for a {@code struct doca_dev}, without starting it; messages name it by {@code event}. */
    NativeEvent create(long device, String event);

    /** Refuses to export an imported event, or an event that has no publisher or subscriber at the location. */
    void checkExport(Object event, SyncLocation location);

    /** An event of this process: its locations, and the memory of its value; null for memory that the SDK chooses. */
    record Local(
            Set<SyncLocation> publishers,
            Set<SyncLocation> subscribers,
            @Nullable EventMemory memory) implements EventOrigin {

        @Override
        public String on() {
            return "on";
        }

        @Override
        public NativeEvent create(long device, String event) {
            return NativeEvent.create(device, this, event);
        }

        /** Returns whether RDMA peers publish. */
        boolean isForRdma() {
            return publishers.contains(SyncLocation.REMOTE_NET);
        }

        /** Returns the same event with its value in other memory. */
        Local withMemory(EventMemory newMemory) {
            return new Local(publishers, subscribers, newMemory);
        }

        @Override
        public void checkExport(Object event, SyncLocation location) {
            if (!publishers.contains(location) && !subscribers.contains(location)) {
                throw new IllegalStateException(event + " cannot be exported: " + location
                        + " is none of its locations, which are " + publishers + " to publish and " + subscribers
                        + " to subscribe");
            }
        }
    }

    /** An event of another process. */
    record Imported(SyncEventExport export) implements EventOrigin {

        @Override
        public String on() {
            return "imported on";
        }

        @Override
        public NativeEvent create(long device, String event) {
            return NativeEvent.fromExport(device, export.descriptor(), event);
        }

        @Override
        public void checkExport(Object event, SyncLocation location) {
            throw new IllegalStateException(event + " cannot be exported: it belongs to another process");
        }
    }
}
