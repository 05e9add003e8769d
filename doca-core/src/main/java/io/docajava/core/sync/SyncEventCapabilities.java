/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.sync.EventCapabilityQuery;
import io.docajava.ffi.argument.Elements;
import java.util.Objects;
import java.util.Set;

/**
 * Capabilities of a device for sync events. A capability that the loaded SDK cannot report is false or missing.
 *
 * @param exportPci whether events can be exported to the other side of the PCI bus ({@code
 *     doca_sync_event_cap_is_export_to_remote_pci_supported})
 * @param createFromExportPci whether such exports can be imported ({@code doca_sync_event_cap_is_create_from_export_supported})
 * @param exportRdma whether events can be exported to RDMA peers ({@code doca_sync_event_cap_is_export_to_remote_net_supported})
 * @param createFromExportRdma whether such exports can be imported ({@code
 *     doca_sync_event_cap_remote_net_is_create_from_export_supported})
 * @param tasks the types of tasks that a {@link SyncEventContext} can have ({@code doca_sync_event_cap_task_..._is_supported});
 *     unmodifiable
 */
public record SyncEventCapabilities(
        boolean exportPci,
        boolean createFromExportPci,
        boolean exportRdma,
        boolean createFromExportRdma,
        Set<SyncEventTaskType> tasks) {

    /** Copies the set. */
    public SyncEventCapabilities {
        tasks = Elements.copyOfSet(tasks, "tasks");
    }

    /**
     * Returns the capabilities of a device. Any thread may call.
     *
     * @param device a listed device, which need not be open
     * @return the capabilities; none if the device has been removed
     * @throws DocaException if the SDK cannot read them
     */
    public static SyncEventCapabilities of(DeviceInfo device) {
        Objects.requireNonNull(device, "device");
        return DeviceImpl.ask(device, info -> EventCapabilityQuery.capabilities(info, device.displayName()))
                .orElseGet(() -> new SyncEventCapabilities(false, false, false, false, Set.of()));
    }
}
