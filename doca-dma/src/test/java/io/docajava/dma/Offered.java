/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.device.Device;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.DocaLibrary;

/** Conditions for {@code @EnabledIf}: features that not every SDK or device offers. */
final class Offered {

    static final String ORDERED_COMPLETIONS = "io.docajava.dma.Offered#orderedCompletions";
    static final String WAITS_FOR_EVENTS = "io.docajava.dma.Offered#waitsForEvents";

    private Offered() {}

    /** Returns whether the SDK can complete copies in the order of their submission. */
    static boolean orderedCompletions() {
        return DocaLibrary.load().has("doca_dma_set_ordered_completions");
    }

    /** Returns whether a task can wait for the value of a sync event. */
    static boolean waitsForEvents() {
        return SyncEventCapabilities.of(Device.list().getFirst()).tasks().contains(SyncEventTaskType.WAIT_EQUAL);
    }
}
