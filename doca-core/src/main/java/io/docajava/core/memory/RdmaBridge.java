/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Memory keys and protection domains of devices ({@code doca_rdma_bridge}), for programs that use libibverbs together with DOCA.
 */
public final class RdmaBridge {

    private RdmaBridge() {}

    /**
     * Returns a map's memory key on a device ({@code doca_mmap_get_mkey}), which all buffers in the map share. Any thread may call.
     *
     * @param map registered with the device
     * @param device an open device
     * @return the mkey, an unsigned number of 32 bits in the byte order of the processor
     * @throws IllegalArgumentException if the memory is not registered with the device
     * @throws IllegalStateException if the map or the device is closed, or the memory was freed
     * @throws DocaException if the SDK refuses
     * @throws DocaFunctionException if the loaded SDK is older than 3.2; {@link #mkey(Buf, Device)} works there
     */
    public static int mkey(Mmap map, Device device) {
        Objects.requireNonNull(map, "map");
        Objects.requireNonNull(device, "device");
        return MmapImpl.mkey(map, device);
    }

    /**
     * Returns the memory key of a buffer on a device ({@code doca_rdma_bridge_get_buf_mkey}). All buffers in a memory map have
     * the same key; other maps and other devices have other keys. A key of the emulator gives no access to the memory.
     *
     * @param buffer the first of its list, in a memory map that is registered with the device
     * @param device an open device
     * @return the mkey, an unsigned number of 32 bits in the byte order of the processor
     * @throws IllegalArgumentException if the memory is not registered with the device
     * @throws IllegalStateException if the buffer or the device is closed, the buffer is not the first of its list, the memory
     *     was freed, or the buffer belongs to another thread
     * @throws DocaException if the SDK refuses
     * @throws DocaFunctionException if the loaded SDK has no bridge
     */
    public static int mkey(Buf buffer, Device device) {
        StackGuard.check();
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(device, "device");
        BufElement element = BufImpl.list(buffer);
        long dev = DeviceImpl.address(device);
        element.map().checkAlive();
        if (!element.map().isRegisteredWith(dev)) {
            throw new IllegalArgumentException("The buffer is in " + element.map() + ", which is not registered with "
                    + device.info().displayName());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mkey = arena.allocate(ValueLayout.JAVA_INT);
            Calls.check(
                    DocaCommon.doca_rdma_bridge_get_buf_mkey(
                            MemorySegment.ofAddress(element.pointer()), MemorySegment.ofAddress(dev), mkey),
                    "doca_rdma_bridge_get_buf_mkey",
                    "reading the mkey of " + element.map());
            return mkey.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Returns the protection domain of a device for verbs ({@code doca_rdma_bridge_get_dev_pd}). It is valid as long as the
     * device is open. Any thread may call.
     *
     * @param device an open device
     * @return a segment of size 0 at the address of the {@code struct ibv_pd}
     * @throws IllegalStateException if the device is closed
     * @throws DocaException with {@link io.docajava.core.DocaError#NOT_SUPPORTED} and the reason if there are no verbs, as on the
     *     emulator
     * @throws DocaFunctionException if the loaded SDK has no bridge
     */
    public static MemorySegment protectionDomain(Device device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.resource(device).keepOpen("a query of the protection domain", () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment pd = arena.allocate(ValueLayout.JAVA_LONG);
                Calls.check(
                        DocaCommon.doca_rdma_bridge_get_dev_pd(MemorySegment.ofAddress(DeviceImpl.address(device)), pd),
                        "doca_rdma_bridge_get_dev_pd",
                        "reading the protection domain of " + device.info().displayName());
                return MemorySegment.ofAddress(pd.get(ValueLayout.JAVA_LONG, 0));
            }
        });
    }
}
