/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.progress.Completion;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * An event that is used by tasks of an engine.
 *
 * @param patience the longest time of a task
 */
record TaskEvent(SyncEventContext event, Duration patience) implements SharedEvent {

    @Override
    public SyncEventExport export() {
        return event.exportPci(event.device());
    }

    @Override
    public void set(long value) throws InterruptedException {
        finish(event.submit(SyncEventOperation.set(value)), "set");
    }

    @Override
    public void add(long addend) throws InterruptedException {
        finish(event.submit(SyncEventOperation.add(addend)), "add");
    }

    @Override
    public void await(long value) throws InterruptedException {
        finish(event.submit(SyncEventOperation.waitEqual(value)), "wait");
    }

    private void finish(Completion<Long> task, String name) throws InterruptedException {
        try {
            task.await(patience);
        } catch (TimeoutException e) {
            throw new SampleException("Failed to retrieve " + name + " task progress: it is not done after "
                    + patience.toSeconds() + " s");
        }
    }

    @Override
    public void close() {
        event.close();
    }
}
