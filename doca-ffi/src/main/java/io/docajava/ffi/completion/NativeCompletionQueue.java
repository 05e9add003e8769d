/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.NativeMemory;
import java.lang.foreign.MemorySegment;

/** The queue that {@code docajava_completions.c} fills; the offsets are those of its structures. */
final class NativeCompletionQueue extends CompletionQueue {

    private static final long RECORDS = 0;
    private static final long CAPACITY = 8;
    private static final long COUNT = 16;
    private static final long TAKEN = 24;
    private static final long LOST = 32;
    private static final long HEADER_SIZE = 48;

    private static final long KIND = 0;
    private static final long CONTEXT = 4;
    private static final long USER_DATA = 8;
    private static final long OBJECT = 16;
    private static final long PREVIOUS_STATE = 24;
    private static final long NEXT_STATE = 28;
    private static final long RECORD_SIZE = 32;

    private final MemorySegment progress;
    private final long queue;
    private final MemorySegment header;

    /** A view of the records, renewed when callbacks moved them. */
    private MemorySegment records = MemorySegment.NULL;

    NativeCompletionQueue(MemorySegment progress, long limit) {
        this.progress = progress;
        queue = Recorder.createQueue(MARGIN, limit);
        if (queue == 0) {
            throw new OutOfMemoryError("No native memory for a completion queue");
        }
        header = NativeMemory.ofAddress(queue, HEADER_SIZE);
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
        long lost = header.get(JAVA_LONG, LOST);
        if (lost != 0) {
            header.set(JAVA_LONG, LOST, 0);
            throw lost(lost);
        }
        long taken = header.get(JAVA_LONG, TAKEN);
        if (taken == header.get(JAVA_LONG, COUNT)) {
            header.set(JAVA_LONG, TAKEN, 0);
            header.set(JAVA_LONG, COUNT, 0);
            return false;
        }
        read(records(), taken * RECORD_SIZE);
        header.set(JAVA_LONG, TAKEN, taken + 1);
        return true;
    }

    private MemorySegment records() {
        long address = header.get(JAVA_LONG, RECORDS);
        long size = header.get(JAVA_LONG, CAPACITY) * RECORD_SIZE;
        if (records.address() != address || records.byteSize() != size) {
            records = NativeMemory.ofAddress(address, size);
        }
        return records;
    }

    private void read(MemorySegment from, long offset) {
        kind = from.get(JAVA_INT, offset + KIND);
        contextIndex = from.get(JAVA_INT, offset + CONTEXT);
        userData = from.get(JAVA_LONG, offset + USER_DATA);
        object = from.get(JAVA_LONG, offset + OBJECT);
        previousState = from.get(JAVA_INT, offset + PREVIOUS_STATE);
        nextState = from.get(JAVA_INT, offset + NEXT_STATE);
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
