/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.internal.NativeAccess;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The events that occurred while native code ran: task completions, state changes and other events of the contexts of one
 * progress engine, in their order. Callbacks given to DOCA write records; Java reads them afterwards:
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
 * <p>Starting and stopping a context runs state callbacks too, so drain after them as well. A record that is read may
 * lead to calls that write new ones.
 *
 * <p>A queue is used by one thread at a time. After {@link #close()} every other method throws
 * {@link IllegalStateException}.
 */
public abstract sealed class CompletionQueue implements AutoCloseable
        permits NativeCompletionQueue, UpcallCompletionQueue {

    /** A task ended well: {@link #object()} is the task, {@link #userData()} its user data. */
    public static final int TASK_SUCCEEDED = 0;

    /** A task failed: as {@link #TASK_SUCCEEDED}, and the task has the error. */
    public static final int TASK_FAILED = 1;

    /** A context changed its state: {@link #object()} is the context. */
    public static final int STATE_CHANGED = 2;

    /** The kind of a record that stands for an event of an upcall: see {@link #appendPlaceholder()}. */
    public static final int PLACEHOLDER = 3;

    /** The first of {@link #EVENTS} kinds that {@link #event} and {@link #plainEvent} produce. */
    public static final int EVENT = 16;

    /** The number of kinds of events. */
    public static final int EVENTS = 8;

    /** The longs of a record: its kind and context, its user data, its object, and two states. */
    static final int RECORD_SIZE = 4;

    /** Room for state changes and events, beside the tasks that are reserved for. */
    static final int MARGIN = 64;

    /** More records than this without a drain mean that a library runs wild, unless so many are reserved. */
    static final long LIMIT = 1 << 20;

    private final Map<Integer, Long> contexts = new HashMap<>();
    private long reserved;
    private boolean closed;

    /** The record that was read last, as {@code struct record} of {@code docajava_completions.c} has it. */
    private long kindAndContext;

    private long userData;
    private long object;
    private long states;

    CompletionQueue() {}

    /**
     * Creates a queue without contexts.
     *
     * @throws DocaLibraryException if the DOCA libraries are not there, or the mode is {@link CompletionMode#NATIVE} and
     *     the bundled library cannot be loaded
     */
    public static CompletionQueue open(CompletionMode mode) {
        DocaLibrary.load().require("doca_pe_progress");
        return open(mode, NativeSymbols.of("common").address("doca_pe_progress"), LIMIT);
    }

    static CompletionQueue open(CompletionMode mode, MemorySegment progress, long limit) {
        NativeAccess.require();
        return switch (mode) {
            case NATIVE -> new NativeCompletionQueue(progress, limit);
            case UPCALL -> new UpcallCompletionQueue(progress, limit);
        };
    }

    /** The mode it was opened with. */
    public abstract CompletionMode mode();

    /** The callback for tasks that end well: {@code void (*)(struct ..._task *, union doca_data, union doca_data)}. */
    public final long taskSucceeded() {
        checkOpen();
        return callback(TASK_SUCCEEDED);
    }

    /** The callback for tasks that fail, of the same type. */
    public final long taskFailed() {
        checkOpen();
        return callback(TASK_FAILED);
    }

    /** The callback for {@code doca_ctx_set_state_changed_cb}. */
    public final long stateChanged() {
        checkOpen();
        return callback(STATE_CHANGED);
    }

    /**
     * A callback for another event: {@code void (*)(struct ... *object, union doca_data, union doca_data context)}.
     *
     * @param number from 0 to {@link #EVENTS} - 1; its records are of kind {@link #EVENT} plus this
     */
    public final long event(int number) {
        checkOpen();
        return callback(EVENT + checkEvent(number));
    }

    /**
     * A callback for an event without user data of its own:
     * {@code void (*)(struct ... *object, union doca_data context)}.
     *
     * @param number from 0 to {@link #EVENTS} - 1; its records are of kind {@link #EVENT} plus this
     */
    public final long plainEvent(int number) {
        checkOpen();
        return plainCallback(checkEvent(number));
    }

    /**
     * Appends a record of kind {@link #PLACEHOLDER}. It keeps an event that came to Java by an upcall, while native code ran, in order
     * with the recorded completions.
     *
     * @return false if there is no room for it
     */
    public final boolean appendPlaceholder() {
        checkOpen();
        return appendPlaceholderRecord();
    }

    /**
     * The user data to give to a context ({@code doca_ctx_set_user_data}), by which its callbacks find this queue. It is
     * valid until {@link #releaseContextData}, which the context must not outlive.
     *
     * @param index what {@link #contextIndex()} is to be for that context, 0 or more
     * @throws IllegalStateException if the index is in use
     */
    public final long contextData(int index) {
        checkOpen();
        if (index < 0) {
            throw new IllegalArgumentException("A context index is not negative: " + index);
        }
        if (contexts.containsKey(index)) {
            throw new IllegalStateException("Context index " + index + " is in use");
        }
        long data = createContextData(index);
        contexts.put(index, data);
        return data;
    }

    /** Ends the use of a context's data; no callback of that context may run any more. */
    public final void releaseContextData(int index) {
        checkOpen();
        Long data = contexts.remove(index);
        if (data == null) {
            throw new IllegalStateException("Context index " + index + " is not in use");
        }
        destroyContextData(data);
    }

    /**
     * Makes room for the completions of so many more tasks, so that callbacks need not.
     *
     * @throws OutOfMemoryError if there is no memory for them
     */
    public final void reserve(int records) {
        checkOpen();
        if (records < 0) {
            throw new IllegalArgumentException("Cannot reserve " + records + " records");
        }
        ensureCapacity(reserved + records + MARGIN);
        reserved += records;
    }

    /** Takes back what was reserved. */
    public final void unreserve(int records) {
        checkOpen();
        if (records < 0 || records > reserved) {
            throw new IllegalArgumentException("Cannot take back " + records + " of " + reserved + " reserved records");
        }
        reserved -= records;
    }

    /**
     * Calls {@code doca_pe_progress} until it finds nothing to do, at most {@code maxCalls} times.
     *
     * @param engine the address of the progress engine
     * @param maxCalls 1 or more
     * @return how many calls found something to do; {@code maxCalls} means that there may be more
     */
    public abstract int progress(long engine, int maxCalls);

    /**
     * Goes on to the next record, which the methods below then describe, until the next call.
     *
     * @return false if there is none
     * @throws IllegalStateException if records were lost since the last call, for want of memory or because a library ran
     *     wild. Those that were kept follow.
     */
    public abstract boolean next();

    /**
     * Returns whether an event of an object is recorded and not yet read, such as its end, which the caller checks for before it
     * uses the object. It costs little while there are no unread {@linkplain #EVENT events}.
     *
     * @param eventKind one of those of events
     * @param about the object of the event
     */
    public final boolean isUnread(int eventKind, long about) {
        checkOpen();
        return search(eventKind, about);
    }

    /** Reads a record, for the methods below. */
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

    /** The index of the context that it happened to. */
    public final int contextIndex() {
        return (int) (kindAndContext >>> Integer.SIZE);
    }

    /** The user data of the task, or of the event's object; 0 where there is none. */
    public final long userData() {
        return userData;
    }

    /** The address of the object: a task, a context, or what the event is about. */
    public final long object() {
        return object;
    }

    /** For {@link #STATE_CHANGED}, the state before ({@code enum doca_ctx_states}). */
    public final int previousState() {
        return (int) states;
    }

    /** For {@link #STATE_CHANGED}, the state now ({@code enum doca_ctx_states}). */
    public final int nextState() {
        return (int) (states >>> Integer.SIZE);
    }

    /**
     * Frees the memory and the callbacks. Closing twice does nothing.
     *
     * @throws IllegalStateException if a context still uses it
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

    abstract long createContextData(int index);

    abstract void destroyContextData(long data);

    abstract boolean appendPlaceholderRecord();

    abstract boolean search(int eventKind, long about);

    abstract void ensureCapacity(long records);

    abstract void free();
}
