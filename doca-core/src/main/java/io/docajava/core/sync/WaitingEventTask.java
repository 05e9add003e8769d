/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.context.WaitingTask;
import io.docajava.core.progress.Completion;

/** What was asked for on a loop when no task of its type was free. */
record WaitingEventTask(
        SyncEventContext event, SyncEventTaskType type, long number, long mask, Completion<Long> completion)
        implements WaitingTask {

    @Override
    public TaskTable<EventSlot> table() {
        return event.table(type);
    }

    @Override
    public void submit() {
        try {
            event.submit(type, number, mask, new CompletingEventHandler(completion));
        } catch (Throwable failure) {
            completion.completeExceptionally(failure);
        }
    }

    @Override
    public void refuse(RuntimeException reason) {
        completion.completeExceptionally(reason);
    }
}
