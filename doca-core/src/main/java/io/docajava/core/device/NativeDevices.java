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
import java.util.ArrayList;
import java.util.List;

/** The SDK's own list of devices, valid until it is closed. */
final class NativeDevices implements AutoCloseable {

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
            int result = DocaCommon.doca_devinfo_create_list(listOut, countOut);
            if (result == DocaError.NOT_FOUND.code()) {
                // This is how the SDK says that there are none; the count is left as it was.
                return new NativeDevices(MemorySegment.NULL, List.of());
            }
            Calls.check(result, "doca_devinfo_create_list", "listing the devices");
            int count = countOut.get(JAVA_INT, 0);
            MemorySegment list = listOut.get(ADDRESS, 0);
            MemorySegment entries = NativeMemory.ofAddress(list.address(), count * ADDRESS.byteSize());
            List<MemorySegment> devices = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                devices.add(entries.getAtIndex(ADDRESS, i));
            }
            return new NativeDevices(list, devices);
        }
    }

    /** The native {@code doca_devinfo} of each device, in the SDK's order. */
    List<MemorySegment> devices() {
        return devices;
    }

    @Override
    public void close() {
        if (list.address() != 0) {
            Calls.check(
                    DocaCommon.doca_devinfo_destroy_list(list),
                    "doca_devinfo_destroy_list",
                    "freeing a list of devices");
        }
    }
}
