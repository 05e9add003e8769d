/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue of mode {@link CompletionMode#UPCALL}. Callbacks are upcalls that append its records; no helper library is
 * needed.
 */
final class UpcallCompletionQueue extends CompletionQueue {

    /** Set beside the index in the user data of a context whose failures and changes of state end the round. */
    private static final long ENDS_ROUNDS = 1L << 32;

    private final MemorySegment progress;
    private long limit;

    /** Shared, because another thread than the one that opened the queue may close it. */
    private final Arena stubs;

    private final Map<String, Long> callbacks = new HashMap<>();

    private long[] records = new long[MARGIN * RECORD_SIZE];
    private int count;
    private int taken;
    private long lost;
    /** True from a record that has ended a round until all records are read. */
    private boolean roundEnded;

    private @Nullable Throwable failure;

    UpcallCompletionQueue(MemorySegment progress, long limit) {
        this.progress = progress;
        this.limit = limit;
        stubs = Arena.ofShared();
    }

    @Override
    public CompletionMode mode() {
        return CompletionMode.UPCALL;
    }

    @Override
    public int progress(long engine, int maxCalls) {
        checkOpen();
        int calls = 0;
        try {
            while (calls < maxCalls && !roundEnded && (byte) Calls.PROGRESS.invokeExact(progress, engine) != 0) {
                calls++;
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
        return calls;
    }

    @Override
    public boolean next() {
        checkOpen();
        if (lost != 0) {
            IllegalStateException exception = lost(lost);
            exception.initCause(failure);
            lost = 0;
            failure = null;
            throw exception;
        }
        if (taken == count) {
            taken = 0;
            count = 0;
            roundEnded = false;
            return false;
        }
        advance();
        return true;
    }

    @Override
    public boolean nextAlike() {
        if (taken == count || !isAlike(records, taken * RECORD_SIZE)) {
            return false;
        }
        advance();
        return true;
    }

    private void advance() {
        read(records, taken * RECORD_SIZE);
        taken++;
    }

    @Override
    boolean search(int eventKind, long about) {
        for (int i = taken; i < count; i++) {
            int at = i * RECORD_SIZE;
            if ((int) records[at] == eventKind && records[at + 2] == about) {
                return true;
            }
        }
        return false;
    }

    /** Appends the record of a callback. It must not throw, because an exception in an upcall ends the process. */
    private void append(int kind, long context, long userData, long object, int previous, int next) {
        roundEnded |= (context & ENDS_ROUNDS) != 0 && (kind == TASK_FAILED || kind == STATE_CHANGED);
        try {
            if ((count + 1) * RECORD_SIZE > records.length) {
                makeRoom();
            }
            int at = count * RECORD_SIZE;
            records[at] = pair(kind, (int) context);
            records[at + 1] = userData;
            records[at + 2] = object;
            records[at + 3] = pair(previous, next);
            count++;
        } catch (Throwable e) {
            lost++;
            failure = e;
        }
    }

    /**
     * Grows the array, or moves the unread records to its start. Moving is cheap only if about half of the records were
     * read.
     */
    private void makeRoom() {
        if (taken < count / 2 && 2L * count <= limit) {
            records = Arrays.copyOf(records, 2 * records.length);
        } else if (taken > 0) {
            count -= taken;
            System.arraycopy(records, taken * RECORD_SIZE, records, 0, count * RECORD_SIZE);
            taken = 0;
        } else {
            throw new IllegalStateException(count + " completions wait to be taken");
        }
    }

    private static long pair(int low, int high) {
        return Integer.toUnsignedLong(low) | (long) high << Integer.SIZE;
    }

    @Override
    long callback(int kind) {
        return switch (kind) {
            case STATE_CHANGED -> stub("stateChanged", Calls.STATE_CHANGED, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
            default ->
                stub(
                        "completion " + kind,
                        MethodHandles.insertArguments(Calls.COMPLETION, 1, kind),
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG);
        };
    }

    @Override
    long plainCallback(int number) {
        return stub(
                "plain event " + number,
                MethodHandles.insertArguments(Calls.PLAIN_EVENT, 1, EVENT + number),
                JAVA_LONG,
                JAVA_LONG);
    }

    private long stub(String name, MethodHandle target, MemoryLayout... parameters) {
        return callbacks.computeIfAbsent(
                name,
                any -> Linker.nativeLinker()
                        .upcallStub(target.bindTo(this), FunctionDescriptor.ofVoid(parameters), stubs)
                        .address());
    }

    void completion(int kind, long object, long userData, long context) {
        if (kind < STATE_CHANGED && SeriesCounter.isOfSeries(userData)) {
            completionInSeries(kind, object, userData, context);
        } else {
            append(kind, context, userData, object, 0, 0);
        }
    }

    private void completionInSeries(int kind, long object, long taskData, long context) {
        long userData = SeriesCounter.userData(taskData);
        if (kind == TASK_FAILED) {
            append(TASK_FAILED, context, userData, object, 0, 0);
        }
        if (SeriesCounter.endsWithOneMore(taskData)) {
            append(TASK_SUCCEEDED, context, userData, object, 0, 0);
        }
    }

    void plainEvent(int kind, long object, long context) {
        append(kind, context, 0, object, 0, 0);
    }

    void stateChanged(long context, long object, int previous, int next) {
        append(STATE_CHANGED, context, 0, object, previous, next);
    }

    /** The callbacks are bound to their queue, so the user data need only identify the context. */
    @Override
    long createContextData(int index, boolean endsRounds) {
        return endsRounds ? index | ENDS_ROUNDS : index;
    }

    @Override
    void destroyContextData(long data) {}

    @Override
    boolean appendPlaceholderRecord() {
        long before = lost;
        append(PLACEHOLDER, 0, 0, 0, 0, 0);
        boolean isThere = lost == before;
        lost = before;
        return isThere;
    }

    @Override
    void ensureCapacity(long records) {
        long size = Math.multiplyExact(records, RECORD_SIZE);
        if (size > Integer.MAX_VALUE - Long.BYTES) {
            throw new OutOfMemoryError("An array cannot hold " + records + " completions");
        }
        limit = Math.max(limit, records);
        if (size > this.records.length) {
            this.records = Arrays.copyOf(this.records, (int) size);
        }
    }

    @Override
    void free() {
        stubs.close();
    }

    private static final class Calls {

        static final MethodHandle PROGRESS =
                Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG));

        static final MethodHandle COMPLETION = own("completion", int.class, long.class, long.class, long.class);
        static final MethodHandle PLAIN_EVENT = own("plainEvent", int.class, long.class, long.class);
        static final MethodHandle STATE_CHANGED = own("stateChanged", long.class, long.class, int.class, int.class);

        private static MethodHandle own(String method, Class<?>... parameters) {
            try {
                return MethodHandles.lookup()
                        .findVirtual(
                                UpcallCompletionQueue.class, method, MethodType.methodType(void.class, parameters));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("UpcallCompletionQueue lacks " + method, e);
            }
        }
    }
}
