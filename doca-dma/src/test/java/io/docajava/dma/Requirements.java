/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.device.Device;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.DocaLibrary;

/** What some tests need of the loaded libraries and their devices; without it they are skipped. */
public final class Requirements {

    private Requirements() {}

    /** A function of the SDK, by its C name. */
    public static void function(String name) {
        assumeTrue(DocaLibrary.load().has(name), () -> "the SDK has no " + name);
    }

    /**
     * A progress engine of the SDK's own. Work queues, which a translation puts behind one, carry out what is in flight when
     * a context stops, and do not say why a job has failed.
     */
    public static void engine() {
        assumeTrue(
                DocaLibrary.load()
                        .translationPath()
                        .filter(path -> path.endsWith("pe_on_workq.so"))
                        .isEmpty(),
                "the SDK has work queues, which neither abort jobs nor say why they fail");
    }

    /** Tasks that wait for the value of a sync event, on the first device. */
    public static void waitingTasks() {
        assumeTrue(
                SyncEventCapabilities.of(Device.list().getFirst()).tasks().contains(SyncEventTaskType.WAIT_EQUAL),
                "the device offers no tasks that wait for a sync event");
    }
}
