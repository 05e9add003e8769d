/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.internal.AllMemory;
import java.lang.foreign.MemorySegment;

/** The queue that {@code docajava_completions.c} fills; the offsets are those of its structures. */
final class NativeCompletionQueue extends CompletionQueue {

    private static final long RECORDS = 0;
    private static final long COUNT = 16;
    private static final long TAKEN = 24;
    private static final long LOST = 32;
    private static final long CHANGES = 48;

    private static final long KIND = 0;
    private static final long USER_DATA = 8;
    private static final long OBJECT = 16;
    private static final long PREVIOUS_STATE = 24;
    private static final long NEXT_STATE = 28;
    private static final long RECORD_SIZE = 32;

    private final long progress;
    private final long queue;

    /** Where the records are, since callbacks moved them for the last time. */
    private long records;

    private long changes;

    NativeCompletionQueue(MemorySegment progress, long limit) {
        this.progress = progress.address();
        queue = Recorder.createQueue(MARGIN, limit);
        if (queue == 0) {
            throw new OutOfMemoryError("No native memory for a completion queue");
        }
    }

    @Override
    public CompletionMode mode() {
        return CompletionMode.NATIVE;
    }

    @Override
    public int progress(long engine, int maxCalls) {
        checkOpen();
        return Recorder.progress(progress, engine, maxCalls);
    }

    @Override
    public boolean next() {
        checkOpen();
        if (AllMemory.getLong(queue + CHANGES) != changes) {
            lookAgain();
        }
        long taken = AllMemory.getLong(queue + TAKEN);
        if (taken == AllMemory.getLong(queue + COUNT)) {
            AllMemory.setLong(queue + TAKEN, 0);
            AllMemory.setLong(queue + COUNT, 0);
            return false;
        }
        read(records + taken * RECORD_SIZE);
        AllMemory.setLong(queue + TAKEN, taken + 1);
        return true;
    }

    private void lookAgain() {
        long lost = AllMemory.getLong(queue + LOST);
        if (lost != 0) {
            AllMemory.setLong(queue + LOST, 0);
            throw lost(lost);
        }
        records = AllMemory.getLong(queue + RECORDS);
        changes = AllMemory.getLong(queue + CHANGES);
    }

    private void read(long record) {
        long kindAndContext = AllMemory.getLong(record + KIND);
        kind = (int) kindAndContext;
        contextIndex = (int) (kindAndContext >>> Integer.SIZE);
        userData = AllMemory.getLong(record + USER_DATA);
        object = AllMemory.getLong(record + OBJECT);
        if (kind == STATE_CHANGED) {
            previousState = AllMemory.getInt(record + PREVIOUS_STATE);
            nextState = AllMemory.getInt(record + NEXT_STATE);
        } else {
            previousState = 0;
            nextState = 0;
        }
    }

    @Override
    long callback(int kind) {
        return Recorder.callback(
                switch (kind) {
                    case TASK_SUCCEEDED -> "docajava_task_succeeded";
                    case TASK_FAILED -> "docajava_task_failed";
                    case STATE_CHANGED -> "docajava_state_changed";
                    default -> "docajava_event_" + (kind - EVENT);
                });
    }

    @Override
    long plainCallback(int number) {
        return Recorder.callback("docajava_plain_event_" + number);
    }

    @Override
    long createContextData(int index) {
        long context = Recorder.createContext(queue, index);
        if (context == 0) {
            throw new OutOfMemoryError("No native memory for a context");
        }
        return context;
    }

    @Override
    void destroyContextData(long data) {
        Recorder.destroyContext(data);
    }

    @Override
    void ensureCapacity(long records) {
        if (!Recorder.reserve(queue, records)) {
            throw new OutOfMemoryError("No native memory for " + records + " completions");
        }
    }

    @Override
    void free() {
        Recorder.destroyQueue(queue);
    }
}
