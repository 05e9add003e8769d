/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.device.Device;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.DocaLibrary;

/** What some tests need of the loaded libraries and their devices; without it they are skipped. */
final class Requirements {

    private Requirements() {}

    /** A function of the SDK, by its C name. */
    static void function(String name) {
        assumeTrue(DocaLibrary.load().has(name), () -> "the SDK has no " + name);
    }

    /** Tasks that wait for the value of a sync event, on the first device. */
    static void waitingTasks() {
        assumeTrue(
                SyncEventCapabilities.of(Device.list().getFirst()).tasks().contains(SyncEventTaskType.WAIT_EQUAL),
                "the device offers no tasks that wait for a sync event");
    }
}
