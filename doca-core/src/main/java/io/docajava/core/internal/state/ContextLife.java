/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.state;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The state of one context, the cause of its stop, and its listeners. It starts, stops and destroys the native context,
 * and knows nothing of tasks. The context's core creates it and calls it on the engine's thread.
 */
public final class ContextLife {

    private static final String WAY_OUT =
            ". Any thread may call the operations with a future of a context that was started on a ProgressLoop";

    private final Context context;
    private final EngineImpl engine;
    private final OwnerThread owner;
    private final ContextBinding binding;
    private final long nativeContext;
    private final Resource resource;
    private final CopyOnWriteArrayList<ContextListener> listeners = new CopyOnWriteArrayList<>();
    private volatile StopCause cause = new StopCause();

    /** The state of the native context when it was last read. It can be newer than {@link #reported}. */
    private volatile LifeState state = LifeState.IDLE;
    /** The state that the SDK has reported last. Reports are delivered in order with completions. */
    private ContextState reported = ContextState.IDLE;
    /** The state that listeners were notified of last. The notification of a stop may be deferred until its cause is delivered. */
    private ContextState notified = ContextState.IDLE;

    private List<String> startReasons = List.of();

    /**
     * Takes over a native object that was created and configured.
     *
     * @param more further resources, besides the engine and the device, that must not be closed before the context
     */
    public ContextLife(
            Context context,
            String description,
            Device device,
            EngineImpl engine,
            ContextBinding binding,
            Resource... more) {
        Calls.prepare(DocaCommon.doca_ctx_start$handle(), DocaCommon.doca_ctx_stop$handle());
        this.context = context;
        this.engine = engine;
        this.owner = engine.owner();
        this.binding = binding;
        this.nativeContext = binding.context();
        Resource[] parents = Stream.concat(Stream.of(engine.resource(), DeviceImpl.resource(device)), Stream.of(more))
                .toArray(Resource[]::new);
        this.resource = Resource.open(context, description, parents);
    }

    public EngineImpl engine() {
        return engine;
    }

    public Resource resource() {
        return resource;
    }

    public String description() {
        return resource.description();
    }

    public StopCause cause() {
        return cause;
    }

    /** Returns the state that was last read. Any thread may call. */
    public ContextState state() {
        return state.shown();
    }

    public boolean isRunning() {
        return state == LifeState.RUNNING;
    }

    public boolean isInTransition() {
        return state.isInTransition();
    }

    /** Returns whether the context is idle and its listeners were notified of it. */
    public boolean isIdleForAll() {
        return state == LifeState.IDLE && notified == ContextState.IDLE;
    }

    /** Reads the state from the SDK. Listeners may not have been notified of it yet. */
    public ContextState refresh() {
        state = state.read(ContextState.of(engine.nativeState(nativeContext)));
        if (!isRunning()) {
            cause.left(engine.round());
        }
        return state();
    }

    /**
     * Does the same as {@link #refresh()}, for deliveries, which must go on in any case. If the state cannot be read,
     * keeps the last known state, and reports the failure later in the delivery.
     */
    public void refreshOrReport() {
        refreshOr(state);
    }

    private void refreshOr(LifeState substitute) {
        try {
            refresh();
        } catch (DocaException failure) {
            state = substitute;
            engine.delivery().reportLater(failure);
        }
    }

    /** Returns the errors that the SDK logged during the last start. They explain a start that fails later. */
    public List<String> startReasons() {
        return startReasons;
    }

    /** Sets the listeners of a context that is not connected yet. */
    public void setListeners(List<ContextListener> newListeners) {
        listeners.addAll(newListeners);
    }

    public void addListener(ContextListener listener) {
        listeners.addIfAbsent(listener);
    }

    public void removeListener(ContextListener listener) {
        listeners.remove(listener);
    }

    /**
     * Throws if another thread calls. Sufficient for calls that change nothing, as a stack overflow in them does no
     * harm.
     */
    public void checkThreadToRead() {
        owner.check(resource, WAY_OUT);
    }

    /** Throws if another thread calls or too little stack is left. */
    public void checkThread() {
        StackGuard.check();
        checkThreadToRead();
    }

    /** Does the same as {@link #checkThread()} for calls that close something. */
    public void checkThreadToClose() {
        StackGuard.checkToClose();
        checkThreadToRead();
    }

    /** Does the same as {@link #checkThread()} for calls that close the context and its parts. */
    public void checkThreadToCloseAll() {
        StackGuard.checkToCloseAll();
        checkThreadToRead();
    }

    /** Throws if another thread calls or the context is closed. */
    public void checkUsable() {
        StackGuard.check();
        // What is closed belongs to no thread.
        resource.checkOpen();
        checkThreadToRead();
    }

    /** Throws if the context is not running; the message gives the cause. */
    public void checkRunning() {
        checkUsable();
        checkState();
    }

    /**
     * Returns whether the context is running and its own thread calls. This is the check of calls that need little of the stack; if it
     * fails, {@link #checkRunning()} throws the reason. A context that is running is not closed.
     */
    public boolean isRunningHere() {
        return isRunning() && owner.isCurrent();
    }

    /** Throws if the context is not running. The caller has checked that it is usable. */
    public void checkState() {
        if (!isRunning()) {
            throw notRunning();
        }
    }

    /**
     * Does the same as {@link #checkRunning()} with the state read from the SDK. A context that has stopped has lost
     * its connections.
     */
    public void checkRunningNow() {
        checkUsable();
        refresh();
        checkRunning();
    }

    /** Returns whether an operation can be submitted. If not, {@link #checkRunning()} throws the reason. */
    public boolean canSubmit() {
        StackGuard.check();
        return isRunningHere();
    }

    public ContextNotRunningException notRunning() {
        return new ContextNotRunningException(whyNotRunning(), state(), cause.rootCause());
    }

    /** Returns why the context is not running, in words, and how to go on unless it is being closed. */
    public String whyNotRunning() {
        String inWords = description() + " is " + stateInWords();
        if (state == LifeState.STARTING) {
            return inWords;
        }
        String why = inWords + cause.explain();
        return resource.state() == Resource.State.OPEN ? why + cause.advise(binding.whyNotRestartable() == null) : why;
    }

    /** Returns why the context is not running, with the state read from the SDK if possible; empty if it is running. */
    public Optional<String> whyNotRunningNow() {
        refreshOrReport();
        return isRunning() ? Optional.empty() : Optional.of(whyNotRunning());
    }

    public String stateInWords() {
        return state.words();
    }

    /**
     * Returns the exception for a call that the SDK has refused. If the context has stopped meanwhile, the exception
     * says so, with the SDK's error as a suppressed exception.
     *
     * @param reasons as in {@link Calls#failure(int, String, String, List)}
     */
    public DocaException refusal(int result, String function, String attempt, List<String> reasons) {
        DocaCallException refusal = Calls.failure(result, function, attempt, reasons);
        if (result == DocaError.BAD_STATE.code()) {
            refreshOrReport();
            if (!isRunning()) {
                ContextNotRunningException failure = notRunning();
                failure.addSuppressed(refusal);
                return failure;
            }
        }
        return refusal;
    }

    /**
     * Starts the context ({@code doca_ctx_start}), and waits until it is running if the binding requires that.
     *
     * @param timeoutNanos the limit of that wait
     */
    public void start(long timeoutNanos) {
        binding.starting();
        int result = DocaCommon.doca_ctx_start(MemorySegment.ofAddress(nativeContext));
        if (result != DocaError.IN_PROGRESS.code()) {
            Calls.check(result, "doca_ctx_start", "starting the " + description());
        }
        startReasons = Calls.reasons();
        engine.countStart();
        finishStart();
        engine.delivery().runPending();
        if (state == LifeState.STARTING
                && binding.isStartAwaited()
                && !engine.delivery().isRunning()) {
            engine.waits().progressUntil(() -> state != LifeState.STARTING, timeoutNanos);
        }
    }

    private void finishStart() {
        try {
            refresh();
            if (isRunning()) {
                binding.started();
            }
        } catch (Throwable failure) {
            cause.request();
            stopNative();
            refresh();
            engine.delivery().runPending();
            throw failure;
        }
    }

    /** Throws if the SDK starts such a context only once. */
    public void checkRestartable() {
        String reason = binding.whyNotRestartable();
        if (reason != null) {
            throw new IllegalStateException(
                    description() + " cannot be started again: " + reason + ". Close it and make a new one");
        }
    }

    /** Restarts a stopped context. If the start fails, the cause of the earlier stop is kept. */
    public void startAgain(long timeoutNanos) {
        StopCause before = cause;
        cause = new StopCause();
        try {
            start(timeoutNanos);
        } catch (Throwable failure) {
            if (state == LifeState.IDLE) {
                cause = before;
            }
            throw failure;
        }
    }

    /**
     * Records that a call stops the context. Returns false if it is already stopping or idle; then the cause of that
     * stop is kept.
     */
    public boolean requestStop() {
        refresh();
        if (!state.canStop()) {
            return false;
        }
        cause.request();
        return true;
    }

    /**
     * Stops the context ({@code doca_ctx_stop}).
     *
     * @param withTasks whether tasks are in flight, so that the SDK may refuse
     * @return false if the SDK has refused because of these tasks; call {@link #repeatStop()} when they have completed
     */
    public boolean stop(boolean withTasks) {
        int result = stopNative();
        refresh();
        if (result == DocaError.IN_USE.code() && isRunning() && withTasks) {
            Calls.discardErrors();
            state = LifeState.STOP_REFUSED;
            return false;
        }
        checkStop(result);
        return true;
    }

    public boolean isStopRefused() {
        return state == LifeState.STOP_REFUSED;
    }

    /** Repeats a refused stop when no task is in flight any more. */
    public void repeatStop() {
        state = LifeState.STOPPING;
        int result = stopNative();
        refreshOrReport();
        try {
            checkStop(result);
        } catch (DocaException failure) {
            engine.delivery().reportLater(failure);
        }
    }

    private void checkStop(int result) {
        boolean idleAlready = result == DocaError.BAD_STATE.code() && state == LifeState.IDLE;
        if (result == DocaError.IN_PROGRESS.code() || idleAlready) {
            return;
        }
        if (isRunning()) {
            cause.withdraw();
        }
        Calls.check(result, "doca_ctx_stop", "stopping the " + description());
    }

    private int stopNative() {
        binding.stopping();
        return DocaCommon.doca_ctx_stop(MemorySegment.ofAddress(nativeContext));
    }

    /** Updates the state when the SDK has reported that it has changed. If it cannot be read, it is the one reported. */
    public void changed(ContextState next) {
        refreshOr(LifeState.of(next));
    }

    /** Records the state that {@link #notifyListeners} passes to the listeners. */
    public void report(ContextState next) {
        reported = next;
    }

    /** Returns whether the listeners were not notified of the reported state yet. */
    public boolean isNotificationPending() {
        return notified != reported;
    }

    /** Notifies the listeners of the reported state. */
    public void notifyListeners() {
        ContextState previous = notified;
        notified = reported;
        Jfr.contextChanged(description(), previous, notified);
        for (ContextListener listener : listeners) {
            try {
                listener.stateChanged(context, previous, notified);
            } catch (Throwable failure) {
                engine.delivery().report(failure);
            }
        }
    }

    /**
     * Returns whether the notification of a stop should wait for its cause. The SDK may report a stop before the
     * failure that caused it.
     */
    public boolean isCauseAwaited() {
        return state == LifeState.STOPPING && !cause.isRequested() && cause.rootCause() == null;
    }

    public ContextBinding binding() {
        return binding;
    }

    /** Destroys the native object. Throws if the SDK refuses. */
    public void destroyNativeOrThrow() {
        Calls.check(binding.destroy(), binding.destroyFunction(), "closing the " + description());
    }

    /** Returns the {@code struct doca_ctx *}. */
    public long nativeContext() {
        return nativeContext;
    }
}
