/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.internal.UncheckedMemory;
import java.lang.foreign.MemorySegment;

/**
 * The queue of mode {@link CompletionMode#NATIVE}. {@code docajava_completions.c} appends its records; the offsets
 * below are those of its structures.
 */
final class NativeCompletionQueue extends CompletionQueue {

    private static final long RECORDS = 0;
    private static final long COUNT = 16;
    private static final long LOST = 24;
    private static final long ROUND_ENDED = 40;

    private final long progress;
    private final long queue;

    /** Records copied from native memory. Those from {@code at} to {@code end} are unread. */
    private long[] fetched = new long[MARGIN * RECORD_SIZE];

    private int at;
    private int end;

    /** The unread records before this index are no events. */
    private int eventsFrom;

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
        return Recorder.progress(progress, engine, maxCalls, queue);
    }

    @Override
    public boolean next() {
        if (at == end && !fetch()) {
            return false;
        }
        advance();
        return true;
    }

    @Override
    public boolean nextAlike() {
        if (at == end || !isAlike(fetched, at)) {
            return false;
        }
        advance();
        return true;
    }

    private void advance() {
        read(fetched, at);
        at += RECORD_SIZE;
    }

    /** Copies all recorded records from native memory. Returns false if there are none. */
    private boolean fetch() {
        checkOpen();
        int count = (int) UncheckedMemory.getLong(queue + COUNT);
        if (count == 0) {
            UncheckedMemory.setLong(queue + ROUND_ENDED, 0);
            return false;
        }
        // Only a full queue loses records.
        long lost = UncheckedMemory.getLong(queue + LOST);
        if (lost != 0) {
            UncheckedMemory.setLong(queue + LOST, 0);
            throw lost(lost);
        }
        if (count * RECORD_SIZE > fetched.length) {
            fetched = new long[2 * count * RECORD_SIZE];
        }
        long records = UncheckedMemory.getLong(queue + RECORDS);
        if (count == 1) {
            // For a single record, reading it is cheaper than a copy.
            for (int i = 0; i < RECORD_SIZE; i++) {
                fetched[i] = UncheckedMemory.getLong(records + i * (long) Long.BYTES);
            }
        } else {
            UncheckedMemory.copy(records, fetched, count * RECORD_SIZE);
        }
        UncheckedMemory.setLong(queue + COUNT, 0);
        at = 0;
        end = count * RECORD_SIZE;
        eventsFrom = 0;
        return true;
    }

    @Override
    boolean search(int eventKind, long about) {
        return isAmongFetched(eventKind, about) || isInNativeMemory(eventKind, about);
    }

    /** Searches the fetched records. Leading records that are no events are skipped only once. */
    private boolean isAmongFetched(int eventKind, long about) {
        eventsFrom = Math.max(eventsFrom, at);
        while (eventsFrom < end && (int) fetched[eventsFrom] < EVENT) {
            eventsFrom += RECORD_SIZE;
        }
        for (int i = eventsFrom; i < end; i += RECORD_SIZE) {
            if ((int) fetched[i] == eventKind && fetched[i + 2] == about) {
                return true;
            }
        }
        return false;
    }

    /** Searches the records that were appended since the last fetch. There are few, if any. */
    private boolean isInNativeMemory(int eventKind, long about) {
        long count = UncheckedMemory.getLong(queue + COUNT);
        long records = UncheckedMemory.getLong(queue + RECORDS);
        for (long i = 0; i < count; i++) {
            long record = records + i * RECORD_SIZE * Long.BYTES;
            if ((int) UncheckedMemory.getLong(record) == eventKind
                    && UncheckedMemory.getLong(record + 2 * Long.BYTES) == about) {
                return true;
            }
        }
        return false;
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
    long createContextData(int index, boolean endsRounds) {
        long context = Recorder.createContext(queue, index, endsRounds);
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
    boolean appendPlaceholderRecord() {
        return Recorder.appendPlaceholder(queue);
    }

    @Override
    void ensureCapacity(long records) {
        if (!Recorder.reserve(queue, records)) {
            throw new OutOfMemoryError("No native memory for " + records + " completions");
        }
    }

    @Override
    void free() {
        at = 0;
        end = 0;
        Recorder.destroyQueue(queue);
    }
}
