/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.device.Device;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventTaskType;

/** Skips tests if the loaded libraries or their devices lack a required feature. */
final class Requirements {

    private Requirements() {}

    /** Requires that tasks on the first device can wait for the value of a sync event. */
    static void waitingTasks() {
        assumeTrue(
                SyncEventCapabilities.of(Device.list().getFirst()).tasks().contains(SyncEventTaskType.WAIT_EQUAL),
                "the device offers no tasks that wait for a sync event");
    }
}
