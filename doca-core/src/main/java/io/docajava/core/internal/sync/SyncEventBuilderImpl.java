/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.device.Device;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventBuilder;
import io.docajava.core.sync.SyncEventContextBuilder;
import io.docajava.core.sync.SyncLocation;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link SyncEventBuilder}. */
public final class SyncEventBuilderImpl implements SyncEventBuilder {

    private final Device device;
    private final EnumSet<SyncLocation> publishers = EnumSet.noneOf(SyncLocation.class);
    private final EnumSet<SyncLocation> subscribers = EnumSet.noneOf(SyncLocation.class);
    private @Nullable EventMemory memory;

    SyncEventBuilderImpl(Device device) {
        this.device = Objects.requireNonNull(device, "device");
    }

    @Override
    public SyncEventBuilder publisher(SyncLocation location) {
        StackGuard.check();
        Objects.requireNonNull(location, "location");
        checkSupported(location);
        publishers.add(location);
        return this;
    }

    @Override
    public SyncEventBuilder subscriber(SyncLocation location) {
        StackGuard.check();
        Objects.requireNonNull(location, "location");
        checkSupported(location);
        if (location == SyncLocation.REMOTE_NET) {
            throw new IllegalArgumentException(
                    "REMOTE_NET cannot be a subscriber of a sync event: it can be a publisher");
        }
        subscribers.add(location);
        return this;
    }

    @Override
    public SyncEventBuilder memory(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        StackGuard.check();
        memory = EventMemory.lasting(segment);
        return this;
    }

    @Override
    public SyncEventBuilder memoryUnchecked(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        StackGuard.check();
        memory = EventMemory.unchecked(segment);
        return this;
    }

    @Override
    public SyncEvent start() {
        return new SyncEventImpl(device, origin());
    }

    @Override
    public SyncEventContextBuilder tasks() {
        return new SyncEventContextBuilderImpl(device, origin());
    }

    private EventOrigin origin() {
        if (publishers.isEmpty()) {
            throw new IllegalStateException("A sync event needs a publisher: add one by publisher(...)");
        }
        if (subscribers.isEmpty()) {
            throw new IllegalStateException("A sync event needs a subscriber: add one by subscriber(...)");
        }
        return new EventOrigin.Local(EnumSet.copyOf(publishers), EnumSet.copyOf(subscribers), memory);
    }

    /** Throws for locations that doca-java does not support. */
    private static void checkSupported(SyncLocation location) {
        switch (location) {
            case CPU, REMOTE_PCI, REMOTE_NET -> {}
            case DPA ->
                throw new UnsupportedOperationException("A DPA cannot be a location of a sync event: that takes a DPA"
                        + " context of the DOCA DPA library, which doca-java has no access to");
            case GPU ->
                throw new UnsupportedOperationException("A GPU cannot be a location of a sync event: that takes a GPU"
                        + " context of the DOCA GPUNetIO library, which doca-java has no access to");
        }
    }

    /** Returns the device, the publishers and the subscribers. */
    @Override
    public String toString() {
        return "SyncEventBuilder on " + device.info().displayName() + " with publishers " + publishers
                + " and subscribers " + subscribers;
    }
}
