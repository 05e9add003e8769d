/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SDK's list of the representors of a device, valid until it is closed. */
final class NativeRepresentors implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final MemorySegment list;
    private final List<MemorySegment> representors;

    private NativeRepresentors(MemorySegment list, List<MemorySegment> representors) {
        this.list = list;
        this.representors = representors;
    }

    /**
     * Lists representors of a device, which the caller keeps open.
     *
     * @throws DocaException if the SDK refuses
     */
    static NativeRepresentors list(Device device, RepresentorKind kind) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment listOut = arena.allocate(ADDRESS);
            MemorySegment countOut = arena.allocate(JAVA_INT);
            int result = DocaCommon.doca_devinfo_rep_create_list(
                    MemorySegment.ofAddress(Handles.address(device)), kind.filter(), listOut, countOut);
            // The SDK reports an empty list by an error, and does not write the count.
            if (result == DocaError.NOT_FOUND.code()) {
                Calls.settle();
                return new NativeRepresentors(MemorySegment.NULL, List.of());
            }
            Calls.check(result, "doca_devinfo_rep_create_list", () -> attempt(device, kind, result));
            MemorySegment list = listOut.get(ADDRESS, 0);
            return new NativeRepresentors(list, NativeMemory.pointers(list.address(), countOut.get(JAVA_INT, 0)));
        }
    }

    private static String attempt(Device device, RepresentorKind kind, int result) {
        return "listing " + (kind == RepresentorKind.ALL ? "all" : kind) + " representors of "
                + device.info().displayName()
                + (result == DocaError.NOT_SUPPORTED.code()
                        ? ", which has none (only a DPU has representors, on the physical functions of its card)"
                        : "");
    }

    /** Returns the native {@code doca_devinfo_rep} of each representor, in the SDK's order. */
    List<MemorySegment> representors() {
        return representors;
    }

    /** Frees the list. A failure is only logged, so that the caller keeps what it has read or opened. */
    @Override
    public void close() {
        if (list.address() == 0) {
            return;
        }
        int result = DocaCommon.doca_devinfo_rep_destroy_list(list);
        if (result != 0) {
            LOG.warn(
                    "A list of representors could not be freed",
                    Calls.failure(result, "doca_devinfo_rep_destroy_list", "freeing a list of representors"));
        }
    }
}
