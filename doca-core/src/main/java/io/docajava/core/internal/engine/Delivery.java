/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.core.internal.log.Throwables;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.completion.CompletionQueue;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The second phase of a round of progress: delivers the recorded completions and events to the contexts and graphs of an engine,
 * which call user code. Contexts and graphs add deliveries of their own. Only the engine's thread uses it.
 */
public final class Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressEngine.class);

    /** The memory that a delivery may need apart from user code, for exceptions with their messages and stack traces. */
    private static final int DELIVERY_BYTES = 16 * 1024;

    private static final List<String> NO_REASON =
            List.of("the SDK has logged no reason; the section on reasons of docs/errors.md lists the usual ones");

    private final CompletionQueue completions;
    private final EngineMembers members;
    private final StageRunner stages;
    private Consumer<? super Throwable> errorHandler = Delivery::log;
    private boolean running;

    /** Errors that the SDK logged in the round that is being delivered. */
    private List<String> reasons = List.of();

    /** Deliveries of operations that ended without the SDK; they run like completions. */
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();

    /** Events of upcalls, one for each placeholder among the completions. */
    private final ArrayDeque<Runnable> upcalls = new ArrayDeque<>();

    /** True if the current record of {@link #completions} was not delivered, because memory was short. */
    private boolean undelivered;

    /** Memory for {@link #releaseReserve()}; null after it was released. */
    private byte @Nullable [] reserve;

    /** The number of operations of all contexts that wait for a free task. */
    private int waiting;

    Delivery(CompletionQueue completions, EngineMembers members, StageRunner stages) {
        this.completions = completions;
        this.members = members;
        this.stages = stages;
    }

    void setErrorHandler(Consumer<? super Throwable> handler) {
        errorHandler = handler;
    }

    /**
     * Returns those of the errors that the SDK logged in the round that is being delivered that name one of some native objects by its
     * address. The others may belong to something else that failed in the same round.
     */
    public List<String> reasonsOf(long... objects) {
        return reasons.stream().filter(line -> names(line, objects)).toList();
    }

    /** As {@link #reasonsOf}; if there is none, as with DOCA 3.0 for RDMA, returns a line that names the place to look. */
    public List<String> reasonsOrHint(long... objects) {
        List<String> own = reasonsOf(objects);
        return own.isEmpty() ? NO_REASON : own;
    }

    /** Returns whether a line has the address of one of the objects, and not only a longer address that begins with it. */
    static boolean names(String line, long... objects) {
        for (long object : objects) {
            String address = "0x" + Long.toHexString(object);
            for (int at = line.indexOf(address); at >= 0; at = line.indexOf(address, at + 1)) {
                int end = at + address.length();
                if (end == line.length() || Character.digit(line.charAt(end), 16) < 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Runs an action in the current or next delivery, after all recorded completions. */
    public void later(Runnable action) {
        later.add(action);
    }

    /** Returns whether {@link #later} has added an action that has not run. */
    boolean isAnyLater() {
        return !later.isEmpty();
    }

    /**
     * Runs an action in order with completions: after those recorded until now, and before later ones. For upcalls,
     * which must not run user code.
     */
    public void inTurn(Runnable action) {
        upcalls.add(action);
        if (!completions.appendPlaceholder()) {
            upcalls.removeLast();
            later.add(action);
        }
    }

    /** Returns whether completions are being delivered, and user code may run. */
    public boolean isRunning() {
        return running;
    }

    /**
     * Delivers records that a call other than progress has caused. Inside a callback this does nothing, as the current
     * delivery includes them.
     */
    public void runPending() {
        if (!running) {
            run();
        }
    }

    /** Runs user code that may do what callbacks may do, and nothing else. */
    int runAsCallback(IntSupplier code) {
        boolean wasRunning = running;
        running = true;
        try {
            return code.getAsInt();
        } finally {
            running = wasRunning;
        }
    }

    /** Runs the stages that other threads have added, as callbacks. Returns their number. */
    int runStages() {
        return stages.isAny() ? runAsCallback(stages::run) : 0;
    }

    /** Logs a warning. An appender is user code. */
    void warn(String warning) {
        runAsCallback(() -> {
            SafeLog.write(() -> LOG.warn(warning));
            return 0;
        });
    }

    /** Adds to the number of operations that wait for free tasks. */
    public void addWaiting(int more) {
        waiting += more;
    }

    /** Submits waiting operations for which a task is free. Called within a delivery, because failures run callbacks. */
    private void submitWaiting() {
        if (waiting > 0) {
            for (EngineContext context : members.contexts()) {
                context.submitWaiting();
            }
        }
    }

    /** Delivers everything, and returns the number of deliveries. */
    int run() {
        int delivered = 0;
        running = true;
        try {
            // Taken before user code makes calls that log errors of their own.
            reasons = Calls.reasons();
            for (int more = deliverNext(); more > 0; more = deliverNext()) {
                delivered += more;
            }
            if (stages.isAny()) {
                delivered += stages.run();
            }
            submitWaiting();
        } finally {
            running = false;
        }
        // Not after an OutOfMemoryError: records that were not delivered may carry the index of a removed member.
        members.endDelivery();
        return delivered;
    }

    /** Delivers the next record, and those behind it that are like it. Returns their number, which is 0 if there is nothing left. */
    private int deliverNext() {
        boolean noted = undelivered || completions.next();
        Runnable action = noted ? null : later.peek();
        if (!noted && action == null) {
            return 0;
        }
        undelivered = noted;
        if (reserve == null || !isCheap(noted)) {
            requireMemory();
        }
        undelivered = false;
        if (noted && completions.kind() == CompletionQueue.TASK_SUCCEEDED) {
            return deliverSuccesses();
        }
        try {
            if (action == null) {
                deliverOne();
            } else {
                later.remove();
                action.run();
            }
        } catch (Throwable failure) {
            report(failure);
        }
        return 1;
    }

    /** Delivers the success of the current record and of those behind it, while they are of the same context. Returns their number. */
    private int deliverSuccesses() {
        LongConsumer success = members.success(completions.contextIndex());
        int delivered = 0;
        do {
            try {
                success.accept(completions.userData());
            } catch (Throwable failure) {
                report(failure);
            }
            delivered++;
            // Without its reserve, a delivery may not begin.
        } while (reserve != null && completions.nextAlike());
        return delivered;
    }

    /** Returns whether a delivery needs so little memory of its own that {@link #releaseReserve()} suffices. */
    private boolean isCheap(boolean noted) {
        return noted
                && (completions.kind() == CompletionQueue.TASK_SUCCEEDED
                        || completions.kind() == CompletionQueue.PLACEHOLDER);
    }

    /** Throws if there is too little memory for a delivery, which would be lost halfway. It stays the next one. */
    private void requireMemory() {
        reserve = new byte[DELIVERY_BYTES];
    }

    /**
     * Lets the garbage collector free some memory after an {@link OutOfMemoryError}, so that a result can still be
     * delivered. There are no more deliveries until that much memory is free again.
     */
    public void releaseReserve() {
        reserve = null;
    }

    private void deliverOne() {
        if (completions.kind() == CompletionQueue.PLACEHOLDER) {
            upcalls.remove().run();
        } else {
            deliverRare();
        }
    }

    private void deliverRare() {
        EngineContext context = members.context(completions.contextIndex());
        if (context == null) {
            deliverToGraph();
            return;
        }
        switch (completions.kind()) {
            case CompletionQueue.TASK_FAILED -> context.taskFailed(completions.userData(), completions.object());
            case CompletionQueue.STATE_CHANGED ->
                context.stateChanged(completions.previousState(), completions.nextState());
            default ->
                context.event(completions.kind() - CompletionQueue.EVENT, completions.object(), completions.userData());
        }
    }

    private void deliverToGraph() {
        GraphCore graph = members.graph(completions.contextIndex());
        if (graph != null) {
            graph.ended(completions.kind() - CompletionQueue.EVENT, (int) completions.userData());
        }
    }

    /**
     * Calls {@link #report} with the next delivery: the error handler is user code, which must not run before the caller has
     * finished.
     */
    public void reportLater(Throwable failure) {
        later(() -> report(failure));
    }

    /**
     * Passes an exception of user code to the error handler. If the handler throws as well, both exceptions are logged.
     */
    public void report(Throwable failure) {
        try {
            errorHandler.accept(failure);
        } catch (Throwable second) {
            Throwables.suppress(second, failure);
            SafeLog.callbackFailed(LOG, "The error handler of a progress engine failed", second);
        }
    }

    private static void log(Throwable failure) {
        SafeLog.callbackFailed(LOG, "A callback failed; the progress engine goes on", failure);
    }
}
