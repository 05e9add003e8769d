/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.ToIntBiFunction;

/**
 * Capabilities of a device for memory maps.
 *
 * @param exportPci whether maps can be exported to it ({@code doca_mmap_cap_is_export_pci_supported})
 * @param createFromExportPci whether exports can be imported for it ({@code
 *     doca_mmap_cap_is_create_from_export_pci_supported})
 */
public record MmapCapabilities(boolean exportPci, boolean createFromExportPci) {

    /**
     * Asks a listed device, which need not be open. Any thread may ask.
     *
     * @return what it can do; nothing if it is there no more
     * @throws DocaException if the device does not answer
     */
    public static MmapCapabilities of(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return Handles.ask(device, info -> read(info, device.displayName()))
                .orElseGet(() -> new MmapCapabilities(false, false));
    }

    /** Returns whether maps can be exported to a device: a filter for devices. */
    public static boolean isExportPciSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return of(device).exportPci();
    }

    /** Returns whether exports can be imported for a device: a filter for devices. */
    public static boolean isCreateFromExportPciSupported(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return of(device).createFromExportPci();
    }

    private static MmapCapabilities read(MemorySegment info, String device) {
        return new MmapCapabilities(
                can(
                        info,
                        DocaCommon::doca_mmap_cap_is_export_pci_supported,
                        "doca_mmap_cap_is_export_pci_supported",
                        device),
                can(
                        info,
                        DocaCommon::doca_mmap_cap_is_create_from_export_pci_supported,
                        "doca_mmap_cap_is_create_from_export_pci_supported",
                        device));
    }

    private static boolean can(
            MemorySegment info,
            ToIntBiFunction<MemorySegment, MemorySegment> question,
            String function,
            String device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_BYTE);
            int result = question.applyAsInt(info, out);
            if (result == DocaError.NOT_SUPPORTED.code()) {
                return false;
            }
            Calls.check(result, function, "asking " + device + " what it can do with memory maps");
            return out.get(JAVA_BYTE, 0) != 0;
        }
    }
}
