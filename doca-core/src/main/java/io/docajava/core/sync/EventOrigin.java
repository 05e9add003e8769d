/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Origin of an event: of this process' own, or imported. */
sealed interface EventOrigin {

    /** Returns the place of the event in messages: {@code "on"} a device, or {@code "imported on"} it. */
    String on();

    /**
     * Makes the native event, which is not started yet.
     *
     * @param device the {@code struct doca_dev}
     * @param event how messages name it
     * @throws DocaException if the SDK refuses
     */
    NativeEvent create(long device, String event);

    /**
     * Refuses to export to a location.
     *
     * @throws IllegalStateException if the event cannot be exported, or has no publisher or subscriber there
     */
    void checkExport(Object event, SyncLocation location);

    /** One of this process: its locations, and where its value is; in memory of the SDK's choice if that is null. */
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

        /** Returns whether peers by RDMA publish. */
        boolean isForRdma() {
            return publishers.contains(SyncLocation.REMOTE_NET);
        }

        /** The same with its value in this memory. */
        Local in(EventMemory place) {
            return new Local(publishers, subscribers, place);
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

    /** One of another process. */
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
            throw new IllegalStateException(
                    event + " cannot be exported: it belongs to another process");
        }
    }
}
