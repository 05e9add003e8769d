/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * An event that is used by synchronous calls.
 *
 * @param patience the longest time to wait for the other side
 */
record CalledEvent(SyncEvent event, Duration patience) implements SharedEvent {

    @Override
    public SyncEventExport export() {
        return event.exportPci(event.device());
    }

    @Override
    public void set(long value) {
        event.set(value);
    }

    @Override
    public void add(long addend) {
        event.add(addend);
    }

    @Override
    public void await(long value) throws InterruptedException {
        try {
            event.newWait().yielding().timeout(patience).untilEqual(value);
        } catch (TimeoutException e) {
            throw new SampleException("Failed to wait for sync event: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        event.close();
    }
}
