/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.device;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.DeviceNotFoundException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The implementation of {@link Device}. */
public final class DeviceImpl implements Device {

    private final DeviceInfo info;
    private final long address;
    private final Resource resource;
    private final AtomicLong registered = new AtomicLong();

    private DeviceImpl(DeviceInfo info, long address) {
        this.info = info;
        this.address = address;
        this.resource = Resource.open(this, "Device " + info.displayName());
    }

    public static List<DeviceInfo> list() {
        try (NativeList natives = natives()) {
            return natives.elements().stream().map(DeviceProperties::read).toList();
        }
    }

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

    public static Device open(DeviceInfo info) {
        Objects.requireNonNull(info, "info");
        return open(DeviceFilter.named(
                "the place and name " + info.displayName(),
                candidate -> DeviceProperties.isSameDevice(info, candidate)));
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public long registeredBytes() {
        return registered.get();
    }

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
            Calls.prepare(DocaCommon.doca_dev_close$handle());
            Calls.check(
                    DocaCommon.doca_dev_open(candidate, out), "doca_dev_open", "opening device " + info.displayName());
            return new DeviceImpl(info, out.get(ADDRESS, 0).address());
        }
    }

    /** Lists the devices, which the caller frees. */
    private static NativeList natives() {
        Doca.load();
        return NativeList.devices();
    }

    /**
     * Returns the pointer to the open {@code doca_dev}.
     *
     * @throws IllegalStateException if the device is closed
     */
    public static long address(Device device) {
        DeviceImpl inside = of(device);
        inside.resource.checkOpen();
        return inside.address;
    }

    /** Returns the lifecycle of a device. */
    public static Resource resource(Device device) {
        return of(device).resource;
    }

    /** Adds to the number of bytes that are registered with a device. */
    public static void addRegistered(Device device, long bytes) {
        of(device).registered.addAndGet(bytes);
    }

    /**
     * Applies a function to the native {@code doca_devinfo} of a listed device, which is valid only during the call. Errors that
     * the SDK logs during the call are not logged as errors.
     *
     * @return the result; empty if the device has been removed
     */
    public static <T> Optional<T> ask(DeviceInfo info, Function<MemorySegment, T> question) {
        try (NativeList natives = natives()) {
            return natives.elements().stream()
                    .filter(candidate -> DeviceProperties.isSameDevice(info, DeviceProperties.read(candidate)))
                    .findFirst()
                    .map(device -> Calls.probe(() -> question.apply(device)));
        }
    }

    private static DeviceImpl of(Device device) {
        return (DeviceImpl) device;
    }
}
