/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.device.RepresentorInfo;
import io.docajava.core.device.RepresentorKind;
import io.docajava.core.device.RepresentorNotFoundException;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** The implementation of {@link DeviceRepresentor}. */
public final class RepresentorImpl implements DeviceRepresentor {

    private final Device device;
    private final RepresentorInfo info;
    private final Resource resource;
    private final MemorySegment pointer;

    private RepresentorImpl(Device device, RepresentorInfo info, MemorySegment listed) {
        this.device = device;
        this.info = info;
        this.resource = Resource.open(this, "Representor " + info.displayName(), DeviceImpl.resource(device));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            Calls.prepare(DocaCommon.doca_dev_rep_close$handle());
            Calls.check(
                    DocaCommon.doca_dev_rep_open(listed, out),
                    "doca_dev_rep_open",
                    "opening representor " + info.displayName());
            this.pointer = out.get(ADDRESS, 0);
        } catch (Throwable failure) {
            resource.discard();
            throw failure;
        }
    }

    public static boolean isSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.ask(device, RepresentorImpl::hasRepresentors).orElse(false);
    }

    private static boolean hasRepresentors(MemorySegment device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_BYTE);
            int result = DocaCommon.doca_devinfo_rep_cap_is_filter_all_supported(device, out);
            return result == DocaError.SUCCESS.code() && out.get(JAVA_BYTE, 0) != 0;
        }
    }

    public static List<RepresentorInfo> list(Device device) {
        Objects.requireNonNull(device, "device");
        StackGuard.check();
        return list(device, RepresentorKind.ALL);
    }

    public static List<RepresentorInfo> list(Device device, RepresentorKind kind) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(kind, "kind");
        return withList(
                device,
                kind,
                natives -> natives.elements().stream()
                        .map(RepresentorProperties::read)
                        .toList());
    }

    public static DeviceRepresentor open(Device device, RepresentorFilter filter) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(filter, "filter");
        StackGuard.check();
        return withList(device, RepresentorKind.ALL, natives -> {
            List<RepresentorInfo> seen = new ArrayList<>();
            for (MemorySegment candidate : natives.elements()) {
                RepresentorInfo info = RepresentorProperties.read(candidate);
                if (filter.matches(info)) {
                    return new RepresentorImpl(device, info, candidate);
                }
                seen.add(info);
            }
            throw new RepresentorNotFoundException(
                    filter.describe(), device.info().displayName(), seen);
        });
    }

    public static DeviceRepresentor open(Device device, RepresentorInfo info) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(info, "info");
        return open(
                device,
                RepresentorFilter.named(
                        "the place and name " + info.displayName(),
                        candidate -> RepresentorProperties.isSameFunction(info, candidate)));
    }

    /** Applies a function to the list of a device. The device cannot be closed meanwhile. */
    private static <T> T withList(Device device, RepresentorKind kind, Function<NativeList, T> use) {
        return DeviceImpl.resource(device)
                .keepOpen("list of the representors of " + device.info().displayName(), () -> {
                    try (NativeList natives = NativeList.representors(device, kind)) {
                        return use.apply(natives);
                    }
                });
    }

    @Override
    public RepresentorInfo info() {
        return info;
    }

    @Override
    public void close() {
        resource.close(() -> Calls.check(
                DocaCommon.doca_dev_rep_close(pointer), "doca_dev_rep_close", "closing " + resource.description()));
    }

    @Override
    public String toString() {
        return resource.description();
    }

    /**
     * Returns the pointer to the open {@code doca_dev_rep}.
     *
     * @throws IllegalStateException if the representor is closed
     */
    public static long address(DeviceRepresentor representor) {
        RepresentorImpl inside = of(representor);
        inside.resource.checkOpen();
        return inside.pointer.address();
    }

    /** Returns the lifecycle of a representor. */
    public static Resource resource(DeviceRepresentor representor) {
        return of(representor).resource;
    }

    /** Returns whether a representor was opened on a device. */
    public static boolean isOf(DeviceRepresentor representor, Device device) {
        return of(representor).device.equals(device);
    }

    private static RepresentorImpl of(DeviceRepresentor representor) {
        return (RepresentorImpl) representor;
    }
}
