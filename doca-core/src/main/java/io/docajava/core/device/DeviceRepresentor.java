/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.Handles;
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

/**
 * An open representor ({@code struct doca_dev_rep}), which represents a function of the host, or a scalable function of the DPU
 * itself, on a DPU. Hosts have no representors. A representor belongs to the device that it was listed for, which cannot be closed before it.
 *
 * <p>Safe for use by many threads.
 */
public final class DeviceRepresentor implements AutoCloseable {

    private final Device device;
    private final RepresentorInfo info;
    private final Resource resource;
    private final MemorySegment pointer;

    private DeviceRepresentor(Device device, RepresentorInfo info, MemorySegment listed) {
        Handles.setRepresentors(new Access());
        this.device = device;
        this.info = info;
        this.resource = Resource.open(this, "Representor " + info.displayName(), Handles.resource(device));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
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

    /**
     * {@return whether a device can have representors ({@code doca_devinfo_rep_cap_is_filter_all_supported}); false also if it has been
     * removed} This method is a {@link DeviceFilter}.
     *
     * @param device a listed device, which need not be open
     */
    public static boolean isSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return Handles.ask(device, DeviceRepresentor::hasRepresentors).orElse(false);
    }

    private static boolean hasRepresentors(MemorySegment device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_BYTE);
            int result = DocaCommon.doca_devinfo_rep_cap_is_filter_all_supported(device, out);
            return result == DocaError.SUCCESS.code() && out.get(JAVA_BYTE, 0) != 0;
        }
    }

    /**
     * {@return all representors of a device, in the SDK's order; empty if the device can have representors but has none}
     *
     * @param device an open device, which stays open during the call
     * @throws IllegalStateException if the device is closed
     * @throws DocaException {@code NOT_SUPPORTED} if the device cannot have representors, like all devices of a host
     */
    public static List<RepresentorInfo> list(Device device) {
        Objects.requireNonNull(device, "device");
        StackGuard.check();
        return list(device, RepresentorKind.ALL);
    }

    /**
     * {@return the representors of a device, in the SDK's order ({@code doca_devinfo_rep_create_list}); empty if it has none}
     *
     * @param device an open device, which stays open during the call
     * @param kind the representors to list
     * @throws IllegalStateException if the device is closed
     * @throws DocaException {@code NOT_SUPPORTED} if the device cannot have representors of the kind, like all devices of a host
     */
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

    /**
     * Opens the first representor of a device that a filter chooses ({@code doca_dev_rep_open}).
     *
     * @param device an open device, which cannot be closed before the representor
     * @param filter that the calling thread applies to the representors in the SDK's order, until it chooses one
     * @return the open representor, to be closed by the caller
     * @throws RepresentorNotFoundException if the filter chooses none
     * @throws IllegalStateException if the device is closed
     * @throws DocaException {@code NOT_SUPPORTED} if the device cannot have representors, or another error if opening fails
     */
    public static DeviceRepresentor open(Device device, RepresentorFilter filter) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(filter, "filter");
        StackGuard.check();
        return withList(device, RepresentorKind.ALL, natives -> {
            List<RepresentorInfo> seen = new ArrayList<>();
            for (MemorySegment candidate : natives.elements()) {
                RepresentorInfo info = RepresentorProperties.read(candidate);
                if (filter.matches(info)) {
                    return new DeviceRepresentor(device, info, candidate);
                }
                seen.add(info);
            }
            throw new RepresentorNotFoundException(
                    filter.describe(), device.info().displayName(), seen);
        });
    }

    /**
     * Opens a listed representor, found by its PCI address and unique name. Other properties may have changed meanwhile.
     *
     * @param device an open device, which cannot be closed before the representor
     * @param info a description of the representor from any list
     * @return the open representor, to be closed by the caller; its {@link #info()} has the current properties
     * @throws RepresentorNotFoundException if the function has been removed
     * @throws IllegalStateException if the device is closed
     * @throws DocaException if the representor cannot be opened
     */
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
        return Handles.resource(device)
                .keepOpen("list of the representors of " + device.info().displayName(), () -> {
                    try (NativeList natives = NativeList.representors(device, kind)) {
                        return use.apply(natives);
                    }
                });
    }

    /** {@return the properties of the representor as they were when it was opened} */
    public RepresentorInfo info() {
        return info;
    }

    /**
     * Closes the representor ({@code doca_dev_rep_close}). Closing it again does nothing.
     *
     * @throws IllegalStateException if objects that were created for it are still open; the representor stays open
     * @throws DocaException if the SDK refuses; the representor stays open
     */
    @Override
    public void close() {
        resource.close(() -> Calls.check(
                DocaCommon.doca_dev_rep_close(pointer), "doca_dev_rep_close", "closing " + resource.description()));
    }

    @Override
    public String toString() {
        return resource.description();
    }

    private static final class Access implements Handles.Representors {
        @Override
        public long address(DeviceRepresentor representor) {
            representor.resource.checkOpen();
            return representor.pointer.address();
        }

        @Override
        public Resource resource(DeviceRepresentor representor) {
            return representor.resource;
        }

        @Override
        public Device device(DeviceRepresentor representor) {
            return representor.device;
        }
    }
}
