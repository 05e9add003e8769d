/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.DocaError;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.call.Calls;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;

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
        tasks = Set.copyOf(Objects.requireNonNull(tasks, "tasks"));
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
        return Handles.ask(device, info -> read(info, device.displayName()))
                .orElseGet(() -> new SyncEventCapabilities(false, false, false, false, Set.of()));
    }

    /** Reads the capabilities of a native {@code doca_devinfo}. */
    static SyncEventCapabilities read(MemorySegment info, String device) {
        Set<SyncEventTaskType> tasks = EnumSet.noneOf(SyncEventTaskType.class);
        for (SyncEventTaskType task : SyncEventTaskType.values()) {
            if (can(task::isSupported, task.capability(), info, device)) {
                tasks.add(task);
            }
        }
        return new SyncEventCapabilities(
                can(
                        DocaCommon::doca_sync_event_cap_is_export_to_remote_pci_supported,
                        "doca_sync_event_cap_is_export_to_remote_pci_supported",
                        info,
                        device),
                can(
                        DocaCommon::doca_sync_event_cap_is_create_from_export_supported,
                        "doca_sync_event_cap_is_create_from_export_supported",
                        info,
                        device),
                can(
                        DocaCommon::doca_sync_event_cap_is_export_to_remote_net_supported,
                        "doca_sync_event_cap_is_export_to_remote_net_supported",
                        info,
                        device),
                can(
                        DocaCommon::doca_sync_event_cap_remote_net_is_create_from_export_supported,
                        "doca_sync_event_cap_remote_net_is_create_from_export_supported",
                        info,
                        device),
                tasks);
    }

    private static boolean can(
            ToIntFunction<MemorySegment> question, String function, MemorySegment info, String device) {
        if (!DocaLibrary.load().has(function)) {
            return false;
        }
        int result = question.applyAsInt(info);
        if (result == DocaError.NOT_SUPPORTED.code()) {
            return false;
        }
        Calls.check(result, function, "reading the capabilities of " + device + " for sync events");
        return true;
    }
}
