/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.device.Device;
import io.docajava.core.memory.MmapCapabilities;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.DocaLibrary;

/** Skips tests if the loaded libraries or their devices lack a required feature. */
public final class Requirements {

    private Requirements() {}

    /** Requires a function of the SDK, by its C name. */
    public static void function(String name) {
        assumeTrue(DocaLibrary.load().has(name), () -> "the SDK has no " + name);
    }

    /**
     * Requires the SDK's own progress engine. Work queues, which a translation puts behind an engine, complete operations in
     * flight when a context stops, and do not report the reason of a failed job.
     */
    public static void engine() {
        assumeTrue(hasEngine(), "the SDK has work queues, which neither abort jobs nor say why they fail");
    }

    private static boolean hasEngine() {
        return DocaLibrary.load()
                .translationPath()
                .filter(path -> path.endsWith("pe_on_workq.so"))
                .isEmpty();
    }

    /** Requires that the SDK reports how many tasks a context can have. SDKs with work queues do not. */
    public static void reportedTaskLimit() {
        assumeTrue(hasEngine(), "the SDK has work queues, which do not report a limit of tasks");
    }

    /** Requires that memory can be exported over the PCI bus, which before release 2.5 only a host can. */
    public static void exports(Device device) {
        assumeTrue(MmapCapabilities.isExportPciSupported(device.info()), "the device exports no memory over PCI");
    }

    /** Requires that tasks on the first device can wait for the value of a sync event. */
    public static void waitingTasks() {
        assumeTrue(
                SyncEventCapabilities.of(Device.list().getFirst()).tasks().contains(SyncEventTaskType.WAIT_EQUAL),
                "the device offers no tasks that wait for a sync event");
    }
}
