/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.NativeAccess;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The queue of the completions, state changes and other events of one progress engine, in the order in which they
 * occurred. DOCA's callbacks append records while native code runs, and the progress engine reads them afterwards:
 *
 * {@snippet :
 * queue.progress(engine, 64);
 * while (queue.next()) {
 *     switch (queue.kind()) {
 *         case CompletionQueue.TASK_SUCCEEDED -> succeeded(queue.contextIndex(), queue.userData());
 *         // and so on
 *     }
 * }
 * }
 *
 * <p>Starting and stopping a context also runs state callbacks, so drain the queue after them as well. Handling a
 * record may append new ones.
 *
 * <p>Only one thread at a time may use a queue. After {@link #close()} every other method throws
 * {@link IllegalStateException}.
 */
public abstract sealed class CompletionQueue implements AutoCloseable
        permits NativeCompletionQueue, UpcallCompletionQueue {

    /** A task has succeeded: {@link #object()} is the task, {@link #userData()} its user data. */
    public static final int TASK_SUCCEEDED = 0;

    /** A task has failed: {@link #object()} is the task, which has the error; {@link #userData()} is its user data. */
    public static final int TASK_FAILED = 1;

    /** A context changed its state: {@link #object()} is the context. */
    public static final int STATE_CHANGED = 2;

    /** A placeholder for an event that Java received by an upcall; see {@link #appendPlaceholder()}. */
    public static final int PLACEHOLDER = 3;

    /** The first of {@link #EVENTS} kinds that {@link #event} and {@link #plainEvent} produce. */
    public static final int EVENT = 16;

    /** The number of kinds of events. */
    public static final int EVENTS = 8;

    /** The number of longs in a record: kind and context, user data, object, and two states. */
    static final int RECORD_SIZE = 4;

    /** The capacity for state changes and events, in addition to the reserved tasks. */
    static final int MARGIN = 64;

    /** The largest number of undrained records, unless more are reserved. Further records are lost. */
    static final long LIMIT = 1 << 20;

    private final Map<Integer, Long> contexts = new HashMap<>();
    private long reserved;
    private boolean closed;

    /** The current record, in the layout of {@code struct record} in {@code docajava_completions.c}. */
    private long kindAndContext;

    private long userData;
    private long object;
    private long states;

    CompletionQueue() {}

    /**
     * Creates a queue without contexts.
     *
     * @throws DocaLibraryException if the DOCA libraries are missing, or the mode is {@link CompletionMode#NATIVE} and
     *     the bundled library cannot be loaded
     */
    public static CompletionQueue open(CompletionMode mode) {
        NativeLoading.sdk().require("doca_pe_progress");
        return open(mode, NativeSymbols.of("common").address("doca_pe_progress"), LIMIT);
    }

    static CompletionQueue open(CompletionMode mode, MemorySegment progress, long limit) {
        NativeAccess.require();
        return switch (mode) {
            case NATIVE -> new NativeCompletionQueue(progress, limit);
            case UPCALL -> new UpcallCompletionQueue(progress, limit);
        };
    }

    /** Returns the mode that the queue was opened with. */
    public abstract CompletionMode mode();

    /**
     * Returns the callback for successful tasks: {@code void (*)(struct ..._task *, union doca_data, union doca_data)}.
     */
    public final long taskSucceeded() {
        checkOpen();
        return callback(TASK_SUCCEEDED);
    }

    /** Returns the callback for failed tasks, of the same type as {@link #taskSucceeded()}. */
    public final long taskFailed() {
        checkOpen();
        return callback(TASK_FAILED);
    }

    /** Returns the callback for {@code doca_ctx_set_state_changed_cb}. */
    public final long stateChanged() {
        checkOpen();
        return callback(STATE_CHANGED);
    }

    /**
     * Returns a callback for another event: {@code void (*)(struct ... *object, union doca_data, union doca_data
     * context)}.
     *
     * @param number from 0 to {@link #EVENTS} - 1; its records are of kind {@link #EVENT} plus this
     */
    public final long event(int number) {
        checkOpen();
        return callback(EVENT + checkEvent(number));
    }

    /**
     * Returns a callback for an event without user data:
     * {@code void (*)(struct ... *object, union doca_data context)}.
     *
     * @param number from 0 to {@link #EVENTS} - 1; its records are of kind {@link #EVENT} plus this
     */
    public final long plainEvent(int number) {
        checkOpen();
        return plainCallback(checkEvent(number));
    }

    /**
     * Appends a record of kind {@link #PLACEHOLDER}. It keeps an event that Java received by an upcall in order with
     * the recorded completions.
     *
     * @return false if there is no room for it
     */
    public final boolean appendPlaceholder() {
        checkOpen();
        return appendPlaceholderRecord();
    }

    /**
     * Returns the user data for a context ({@code doca_ctx_set_user_data}), by which its callbacks find this queue. It
     * is valid until {@link #releaseContextData}; the context must have been destroyed before.
     *
     * @param index the {@link #contextIndex()} of the context's records, 0 or more
     * @param endsRounds whether a failure and a change of state of the context end the round: the library does not progress again
     *     before they are handled
     * @throws IllegalStateException if the index is in use
     */
    public final long contextData(int index, boolean endsRounds) {
        checkOpen();
        if (index < 0) {
            throw new IllegalArgumentException("A context index is not negative: " + index);
        }
        if (contexts.containsKey(index)) {
            throw new IllegalStateException("Context index " + index + " is in use");
        }
        long data = createContextData(index, endsRounds);
        contexts.put(index, data);
        return data;
    }

    /** Releases the user data of a context. No callback of the context may run any more. */
    public final void releaseContextData(int index) {
        checkOpen();
        Long data = contexts.remove(index);
        if (data == null) {
            throw new IllegalStateException("Context index " + index + " is not in use");
        }
        destroyContextData(data);
    }

    /**
     * Reserves capacity for the completions of more tasks, so that callbacks need not grow the queue.
     *
     * @throws OutOfMemoryError if there is not enough memory
     */
    public final void reserve(int records) {
        checkOpen();
        if (records < 0) {
            throw new IllegalArgumentException("Cannot reserve " + records + " records");
        }
        ensureCapacity(reserved + records + MARGIN);
        reserved += records;
    }

    /** Releases reserved capacity. */
    public final void unreserve(int records) {
        checkOpen();
        if (records < 0 || records > reserved) {
            throw new IllegalArgumentException("Cannot take back " + records + " of " + reserved + " reserved records");
        }
        reserved -= records;
    }

    /**
     * Calls {@code doca_pe_progress} until it finds nothing to do, at most {@code maxCalls} times. Makes no call from a record that
     * {@linkplain #contextData ends the round} until {@link #next()} has returned false.
     *
     * @param engine the address of the progress engine
     * @param maxCalls 1 or more
     * @return the number of calls that found something to do; if it is {@code maxCalls}, there may be more
     */
    public abstract int progress(long engine, int maxCalls);

    /**
     * Advances to the next record, which the methods below describe until the next call.
     *
     * @return false if there is none
     * @throws IllegalStateException if records were lost since the last call, because memory ran out or the queue was
     *     at its limit. The next calls return the remaining records.
     */
    public abstract boolean next();

    /**
     * Advances to the next record if it is of the same kind and the same context as the current one, and is at hand. This is faster
     * than {@link #next()}, for the many completions of one context in a round.
     *
     * @return false if the current record stays; {@link #next()} may have another one
     */
    public abstract boolean nextAlike();

    /**
     * Returns whether an event of an object is recorded and not yet read. Callers check for the end of an object before
     * they use it. This costs little while there are no unread {@linkplain #EVENT events}.
     *
     * @param eventKind a kind of event
     * @param about the object of the event
     */
    public final boolean isUnread(int eventKind, long about) {
        checkOpen();
        return search(eventKind, about);
    }

    /** Returns whether a record is of the same kind and context as the current one. */
    final boolean isAlike(long[] records, int at) {
        return records[at] == kindAndContext;
    }

    /** Makes a record the current one. */
    final void read(long[] records, int at) {
        kindAndContext = records[at];
        userData = records[at + 1];
        object = records[at + 2];
        states = records[at + 3];
    }

    /** Returns the kind of the event: one of the constants above. */
    public final int kind() {
        return (int) kindAndContext;
    }

    /** Returns the index of the context concerned. */
    public final int contextIndex() {
        return (int) (kindAndContext >>> Integer.SIZE);
    }

    /** Returns the user data of the task, or of the event's object; 0 if there is none. */
    public final long userData() {
        return userData;
    }

    /** Returns the address of the task, of the context, or of the event's object. */
    public final long object() {
        return object;
    }

    /** Returns the previous state of a {@link #STATE_CHANGED} record ({@code enum doca_ctx_states}). */
    public final int previousState() {
        return (int) states;
    }

    /** Returns the new state of a {@link #STATE_CHANGED} record ({@code enum doca_ctx_states}). */
    public final int nextState() {
        return (int) (states >>> Integer.SIZE);
    }

    /**
     * Frees the memory and the callbacks. Closing twice does nothing.
     *
     * @throws IllegalStateException if a context still uses the queue
     */
    @Override
    public final void close() {
        if (closed) {
            return;
        }
        if (!contexts.isEmpty()) {
            throw new IllegalStateException("A completion queue cannot close while contexts use it: "
                    + contexts.keySet().stream().sorted().toList());
        }
        closed = true;
        free();
    }

    final void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The completion queue is closed");
        }
    }

    static IllegalStateException lost(long records) {
        return new IllegalStateException(records + (records == 1 ? " completion was" : " completions were")
                + " lost: out of memory, or a DOCA library reports more than it was given");
    }

    private static int checkEvent(int number) {
        if (number < 0 || number >= EVENTS) {
            throw new IllegalArgumentException("Event " + number + " is not between 0 and " + (EVENTS - 1));
        }
        return number;
    }

    abstract long callback(int kind);

    abstract long plainCallback(int number);

    abstract long createContextData(int index, boolean endsRounds);

    abstract void destroyContextData(long data);

    abstract boolean appendPlaceholderRecord();

    abstract boolean search(int eventKind, long about);

    abstract void ensureCapacity(long records);

    abstract void free();
}
