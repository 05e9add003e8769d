/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.internal.call.CapabilityReader;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeLoading;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Reads what a device can do with sync events. */
public final class EventCapabilityQuery {

    private EventCapabilityQuery() {}

    /** Reads the capabilities of a native {@code doca_devinfo}. */
    public static SyncEventCapabilities capabilities(MemorySegment device, String name) {
        CapabilityReader reader =
                new CapabilityReader(device, "reading the capabilities of " + name + " for sync events");
        Set<SyncEventTaskType> tasks = EnumSet.noneOf(SyncEventTaskType.class);
        for (SyncEventTaskType task : SyncEventTaskType.values()) {
            if (can(reader, NativeTaskType.capability(task), info -> NativeTaskType.isSupported(task, info))) {
                tasks.add(task);
            }
        }
        return new SyncEventCapabilities(
                can(
                        reader,
                        "doca_sync_event_cap_is_export_to_remote_pci_supported",
                        DocaCommon::doca_sync_event_cap_is_export_to_remote_pci_supported),
                can(
                        reader,
                        "doca_sync_event_cap_is_create_from_export_supported",
                        DocaCommon::doca_sync_event_cap_is_create_from_export_supported),
                can(
                        reader,
                        "doca_sync_event_cap_is_export_to_remote_net_supported",
                        DocaCommon::doca_sync_event_cap_is_export_to_remote_net_supported),
                can(
                        reader,
                        "doca_sync_event_cap_remote_net_is_create_from_export_supported",
                        DocaCommon::doca_sync_event_cap_remote_net_is_create_from_export_supported),
                tasks);
    }

    private static boolean can(CapabilityReader reader, String function, ToIntFunction<MemorySegment> query) {
        return NativeLoading.sdk().has(function) && reader.can(function, query);
    }
}
