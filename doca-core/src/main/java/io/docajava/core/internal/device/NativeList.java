/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.RepresentorKind;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SDK's list of devices, or of the representors of a device, valid until it is closed. */
final class NativeList implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final Kind kind;
    private final MemorySegment list;
    private final List<MemorySegment> elements;

    private NativeList(Kind kind, MemorySegment list, int count) {
        this.kind = kind;
        this.list = list;
        this.elements = NativeMemory.pointers(list.address(), count);
    }

    static NativeList devices() {
        Calls.prepare(DocaCommon.doca_devinfo_destroy_list$handle());
        return create(
                new Kind("devices", "doca_devinfo_", DocaCommon::doca_devinfo_destroy_list),
                DocaCommon::doca_devinfo_create_list,
                result -> "listing the devices");
    }

    /** The caller keeps the device open. */
    static NativeList representors(Device device, RepresentorKind kind) {
        Calls.prepare(DocaCommon.doca_devinfo_rep_destroy_list$handle());
        MemorySegment pointer = MemorySegment.ofAddress(DeviceImpl.address(device));
        return create(
                new Kind("representors", "doca_devinfo_rep_", DocaCommon::doca_devinfo_rep_destroy_list),
                (list, count) -> DocaCommon.doca_devinfo_rep_create_list(pointer, filter(kind), list, count),
                result -> attempt(device, kind, result));
    }

    private static int filter(RepresentorKind kind) {
        return switch (kind) {
            case ALL -> DocaCommon.DOCA_DEVINFO_REP_FILTER_ALL();
            case NET -> DocaCommon.DOCA_DEVINFO_REP_FILTER_NET();
            case EMULATED -> DocaCommon.DOCA_DEVINFO_REP_FILTER_EMULATED();
        };
    }

    private static String attempt(Device device, RepresentorKind kind, int result) {
        return "listing " + (kind == RepresentorKind.ALL ? "all" : kind) + " representors of "
                + device.info().displayName()
                + (result == DocaError.NOT_SUPPORTED.code()
                        ? ", which has none (only a DPU has representors, on the physical functions of its card)"
                        : "");
    }

    /** Creates a list. The SDK reports an empty list by an error, and need not write anything then. */
    private static NativeList create(
            Kind kind, ToIntBiFunction<MemorySegment, MemorySegment> creation, IntFunction<String> attempt) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = arena.allocate(ADDRESS);
            MemorySegment count = arena.allocate(JAVA_INT);
            return Calls.probe(() -> {
                int result = creation.applyAsInt(list, count);
                if (result == DocaError.NOT_FOUND.code()) {
                    return new NativeList(kind, MemorySegment.NULL, 0);
                }
                Calls.check(result, kind.prefix + "create_list", attempt.apply(result));
                return new NativeList(kind, list.get(ADDRESS, 0), count.get(JAVA_INT, 0));
            });
        }
    }

    /** Returns the native descriptions, in the SDK's order. */
    List<MemorySegment> elements() {
        return elements;
    }

    /** Frees the list. A failure is only logged, so that the caller keeps what it has read or opened. */
    @Override
    public void close() {
        if (list.address() == 0) {
            return;
        }
        int result = kind.destruction.applyAsInt(list);
        if (result != 0) {
            DocaException failure =
                    Calls.failure(result, kind.prefix + "destroy_list", "freeing a list of " + kind.elements);
            SafeLog.write(failure, () -> LOG.warn("A list of {} could not be freed", kind.elements, failure));
        }
    }

    /** A kind of lists, with the name of its elements in messages and the prefix of its C functions. */
    private record Kind(String elements, String prefix, ToIntFunction<MemorySegment> destruction) {}
}
