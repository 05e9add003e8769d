/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.docajava.core.Doca;
import io.docajava.core.DocaError;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SDK's list of devices, valid until it is closed. */
final class NativeDevices implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    private final MemorySegment list;
    private final List<MemorySegment> devices;

    private NativeDevices(MemorySegment list, List<MemorySegment> devices) {
        this.list = list;
        this.devices = devices;
    }

    static NativeDevices list() {
        Doca.load();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment listOut = arena.allocate(ADDRESS);
            MemorySegment countOut = arena.allocate(JAVA_INT);
            Calls.probe(() -> create(listOut, countOut));
            MemorySegment list = listOut.get(ADDRESS, 0);
            return new NativeDevices(list, NativeMemory.pointers(list.address(), countOut.get(JAVA_INT, 0)));
        }
    }

    /** Creates the list. Returns false if there are no devices, which the SDK reports by an error. */
    private static boolean create(MemorySegment listOut, MemorySegment countOut) {
        int result = DocaCommon.doca_devinfo_create_list(listOut, countOut);
        if (result == DocaError.NOT_FOUND.code()) {
            return false;
        }
        Calls.check(result, "doca_devinfo_create_list", "listing the devices");
        return true;
    }

    /** Returns the native {@code doca_devinfo} of each device, in the SDK's order. */
    List<MemorySegment> devices() {
        return devices;
    }

    /** Frees the list. A failure is only logged, so that the caller keeps what it has read or opened. */
    @Override
    public void close() {
        if (list.address() == 0) {
            return;
        }
        int result = DocaCommon.doca_devinfo_destroy_list(list);
        if (result != 0) {
            LOG.warn(
                    "A list of devices could not be freed",
                    Calls.failure(result, "doca_devinfo_destroy_list", "freeing a list of devices"));
        }
    }
}
