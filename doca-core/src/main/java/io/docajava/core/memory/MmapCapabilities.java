/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.DocaException;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.call.CapabilityReader;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Capabilities of a device for memory maps.
 *
 * @param exportPci whether maps of the device can be exported over the PCI bus ({@code doca_mmap_cap_is_export_pci_supported})
 * @param createFromExportPci whether the device can import such exports ({@code
 *     doca_mmap_cap_is_create_from_export_pci_supported})
 */
public record MmapCapabilities(boolean exportPci, boolean createFromExportPci) {

    /**
     * {@return the capabilities of a device; all false if it has been removed} Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @throws DocaException if the SDK refuses
     */
    public static MmapCapabilities of(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.ask(device, info -> read(info, device.displayName()))
                .orElseGet(() -> new MmapCapabilities(false, false));
    }

    /**
     * {@return whether maps of a device can be exported over the PCI bus; false if the device has been removed}
     *
     * @param device a listed device, which need not be open
     * @throws DocaException if the SDK refuses
     */
    public static boolean isExportPciSupported(DeviceInfo device) {
        return of(device).exportPci();
    }

    /**
     * {@return whether a device can import exports over the PCI bus; false if the device has been removed}
     *
     * @param device a listed device, which need not be open
     * @throws DocaException if the SDK refuses
     */
    public static boolean isCreateFromExportPciSupported(DeviceInfo device) {
        return of(device).createFromExportPci();
    }

    private static MmapCapabilities read(MemorySegment info, String device) {
        CapabilityReader reader =
                new CapabilityReader(info, "reading the capabilities of " + device + " for memory maps");
        return new MmapCapabilities(
                reader.flag("doca_mmap_cap_is_export_pci_supported", DocaCommon::doca_mmap_cap_is_export_pci_supported),
                reader.flag(
                        "doca_mmap_cap_is_create_from_export_pci_supported",
                        DocaCommon::doca_mmap_cap_is_create_from_export_pci_supported));
    }
}
