/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * An open device ({@code struct doca_dev}). Contexts and memory maps are created for a device; it cannot be closed before them.
 *
 * <p>Safe for use by many threads.
 */
public final class Device implements AutoCloseable {

    private final DeviceInfo info;
    private final long address;
    private final Resource resource;
    private final AtomicLong registered = new AtomicLong();

    private Device(DeviceInfo info, long address) {
        this.info = info;
        this.address = address;
        this.resource = Resource.open(this, "Device " + info.displayName());
    }

    /**
     * {@return the devices of this machine, in the SDK's order ({@code doca_devinfo_create_list}); empty where there are none}
     *
     * @throws DocaException if they cannot be listed
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static List<DeviceInfo> list() {
        try (NativeList natives = natives()) {
            return natives.elements().stream().map(DeviceProperties::read).toList();
        }
    }

    /**
     * Opens the first device that a filter chooses ({@code doca_dev_open}). A device may be opened several times; each {@code
     * Device} is then closed separately.
     *
     * @param filter that the calling thread applies to the devices in the SDK's order, until it chooses one
     * @return the open device, to be closed by the caller
     * @throws DeviceNotFoundException if the filter chooses none
     * @throws DocaException if the device cannot be opened
     * @throws DocaLibraryException if there are no DOCA libraries
     */
    public static Device open(DeviceFilter filter) {
        Objects.requireNonNull(filter, "filter");
        try (NativeList natives = natives()) {
            List<DeviceInfo> seen = new ArrayList<>();
            for (MemorySegment candidate : natives.elements()) {
                DeviceInfo info = DeviceProperties.read(candidate);
                if (filter.matches(info)) {
                    return open(candidate, info);
                }
                seen.add(info);
            }
            throw new DeviceNotFoundException(filter.describe(), seen);
        }
    }

    /**
     * Opens a listed device, found by its PCI address, InfiniBand name, function type and scalable function's number. Other
     * properties may have changed since it was listed.
     *
     * @param info a description of the device from any list
     * @return the open device, to be closed by the caller; its {@link #info()} has the current properties
     * @throws DeviceNotFoundException if the device has been removed
     * @throws DocaException if the device cannot be opened
     */
    public static Device open(DeviceInfo info) {
        Objects.requireNonNull(info, "info");
        return open(DeviceFilter.named(
                "the place and name " + info.displayName(),
                candidate -> DeviceProperties.isSameDevice(info, candidate)));
    }

    /** {@return the properties of the device as they were when it was opened} */
    public DeviceInfo info() {
        return info;
    }

    /**
     * {@return the amount of memory, in bytes, that open memory maps have registered with this {@code Device}} Imported memory does not
     * count, and memory that two maps register counts twice.
     */
    public long registeredBytes() {
        return registered.get();
    }

    /**
     * Closes the device ({@code doca_dev_close}). Closing it again does nothing.
     *
     * @throws IllegalStateException if memory maps, contexts or representors of the device are still open; the device stays open
     * @throws DocaException if the SDK refuses; the device stays open
     */
    @Override
    public void close() {
        resource.close(() -> Calls.check(
                DocaCommon.doca_dev_close(MemorySegment.ofAddress(address)),
                "doca_dev_close",
                "closing " + resource.description()));
    }

    @Override
    public String toString() {
        return resource.description();
    }

    private static Device open(MemorySegment candidate, DeviceInfo info) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            Calls.check(
                    DocaCommon.doca_dev_open(candidate, out), "doca_dev_open", "opening device " + info.displayName());
            return new Device(info, out.get(ADDRESS, 0).address());
        }
    }

    /** Lists the devices, which the caller frees. */
    private static NativeList natives() {
        Doca.load();
        Handles.setDevices(new Access());
        return NativeList.devices();
    }

    private static final class Access implements Handles.Devices {
        @Override
        public long address(Device device) {
            device.resource.checkOpen();
            return device.address;
        }

        @Override
        public Resource resource(Device device) {
            return device.resource;
        }

        @Override
        public void addRegistered(Device device, long bytes) {
            device.registered.addAndGet(bytes);
        }

        @Override
        public <T> Optional<T> ask(DeviceInfo info, Function<MemorySegment, T> question) {
            try (NativeList natives = natives()) {
                return natives.elements().stream()
                        .filter(candidate -> DeviceProperties.isSameDevice(info, DeviceProperties.read(candidate)))
                        .findFirst()
                        .map(device -> Calls.probe(() -> question.apply(device)));
            }
        }
    }
}
