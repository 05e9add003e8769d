/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.lifecycle.Undo;
import io.docajava.core.internal.log.SafeLog;
import io.docajava.core.progress.EngineStats;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.completion.CompletionMode;
import io.docajava.ffi.completion.CompletionQueue;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.TaskCalls;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The implementation of {@link ProgressEngine}. It owns the native engine, and knows the contexts and graphs connected to it, which
 * call it to connect and to submit.
 *
 * <p>A round of progress has two phases. First native progress runs, and its callbacks only record completions and
 * events. Then the {@link Delivery} passes the records to the contexts, which call user code. User code may therefore
 * call everything except progress and waits.
 */
public final class EngineImpl implements ProgressEngine {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressEngine.class);

    /** The largest number of completions in a round, so that each round ends under any load. */
    private static final int ROUND = 128;

    /** The number of context starts after which a warning is logged. */
    private static final int MANY_STARTS = 256;

    private static final VarHandle ROUNDS;

    static {
        try {
            ROUNDS = MethodHandles.lookup().findVarHandle(EngineImpl.class, "rounds", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The default of {@link #warnAfter}. */
    public static final Duration WARN_AFTER = Duration.ofSeconds(10);

    private final OwnerThread owner = new OwnerThread();
    /** Shared, because another thread may take over the engine of a thread that has ended. */
    private final Arena arena;

    private final MemorySegment out;
    private final Resource resource;
    private final CompletionQueue completions;
    private final MemorySegment pe;
    private final EngineMembers members = new EngineMembers();
    private final StageRunner stages;
    private final Delivery delivery;
    private final EngineClock clock;
    private final EngineSleep sleep;
    private final EngineWaits waits;
    private EngineWatch watch;

    /** True while a user node of a graph runs inside native progress. */
    private boolean inUserNode;
    /** The loop that owns this engine and alone closes it; null if no loop does. Other threads read it. */
    private volatile @Nullable EngineLoop loop;

    /** The number of calls of progress. */
    private long rounds;
    /** The number of context starts. */
    private int starts;
    /** True if a context may have deferred tasks. */
    private boolean deferring;

    /** The result of {@link Jfr#isRecording()} at the beginning of the last round. */
    private boolean recording;

    /** Creates the native engine for the calling thread. */
    public EngineImpl() {
        String description = "ProgressEngine of " + OwnerThread.name(owner.thread());
        OperationCompletion.initialize();
        arena = Arena.ofShared();
        CompletionQueue queue = null;
        MemorySegment created = null;
        try {
            out = arena.allocate(ValueLayout.JAVA_LONG);
            queue = CompletionQueue.open(CompletionMode.preferred());
            completions = queue;
            stages = new StageRunner(owner, this::wakeUp);
            delivery = new Delivery(queue, members, stages);
            clock = new EngineClock(members, delivery);
            Calls.prepare(DocaCommon.doca_pe_destroy$handle(), DocaCommon.doca_error_get_descr$handle());
            Calls.check(DocaCommon.doca_pe_create(out), "doca_pe_create", "creating a progress engine");
            created = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
            pe = created;
            sleep = new EngineSleep(created, out);
            waits = new EngineWaits(this, IdleStrategy.eventDriven().forEngine(this), members, delivery, clock, sleep);
            resource = Resource.open(this, description);
            watch = EngineWatch.start(this, Deadlines.nanos(WARN_AFTER));
        } catch (Throwable failure) {
            undoCreation(failure, created, queue, arena);
            throw failure;
        }
    }

    private static void undoCreation(
            Throwable failure, @Nullable MemorySegment created, @Nullable CompletionQueue queue, Arena arena) {
        if (created != null) {
            Undo.after(
                    failure,
                    () -> Calls.check(DocaCommon.doca_pe_destroy(created), "doca_pe_destroy", "undoing the creation"));
        }
        if (queue != null) {
            Undo.after(failure, queue::close);
        }
        Undo.after(failure, arena::close);
    }

    public Delivery delivery() {
        return delivery;
    }

    public EngineWaits waits() {
        return waits;
    }

    /** Returns what runs the dependent stages of completions that have no executor. */
    public StageRunner stages() {
        return stages;
    }

    /** Returns the thread that owns the engine and its contexts. */
    public OwnerThread owner() {
        return owner;
    }

    /** Refuses calls by other threads and after close. */
    public void checkUsable() {
        StackGuard.check();
        resource.checkOpen();
        owner.check(resource);
    }

    /** Returns the implementation of an engine. */
    public static EngineImpl of(ProgressEngine engine) {
        return (EngineImpl) Objects.requireNonNull(engine, "engine");
    }

    @Override
    public Thread thread() {
        return owner.thread();
    }

    @Override
    public ProgressEngine errorHandler(Consumer<? super Throwable> handler) {
        Objects.requireNonNull(handler, "handler");
        checkUsable();
        delivery.setErrorHandler(handler);
        return this;
    }

    @Override
    public ProgressEngine idleStrategy(IdleStrategy strategy) {
        Objects.requireNonNull(strategy, "strategy");
        checkUsable();
        waits.setIdleStrategy(
                Objects.requireNonNull(strategy.forEngine(this), "The idle strategy returned null for the engine"));
        return this;
    }

    /** Throws unless a time may be that of {@link #warnAfter}. Returns it. */
    public static Duration checkWarnAfter(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative()) {
            throw new IllegalArgumentException("The time before a warning must not be negative: " + time);
        }
        return time;
    }

    @Override
    public ProgressEngine warnAfter(Duration time) {
        checkWarnAfter(time);
        checkUsable();
        long nanos = time.isZero() ? Long.MAX_VALUE : Deadlines.nanos(time);
        clock.warnAfter(nanos);
        watch.end();
        watch = EngineWatch.start(this, nanos);
        return this;
    }

    @Override
    public boolean awaitEvent(Duration timeout) throws InterruptedException {
        Objects.requireNonNull(timeout, "timeout");
        return waits.awaitEvent(timeout);
    }

    @Override
    public void wakeUp() {
        waits.wakeUp();
    }

    /**
     * Returns whether operations are in flight that need only the device and progress, and the thread is not asleep until they
     * end. Any thread may call; {@link #acquireRound()} first makes counts visible.
     */
    boolean isWaitedFor() {
        return !sleep.isAsleep() && members.isAnyWaiting();
    }

    @Override
    public int progress() {
        checkUsable();
        refuseInCallback();
        recording = Jfr.isRecording();
        Event round = recording ? Jfr.startRound() : null;
        clock.startRound();
        flushContexts();
        ROUNDS.setRelease(this, rounds + 1);
        int steps = completions.progress(pe.address(), ROUND);
        if (sleep.disarm()) {
            steps += completions.progress(pe.address(), ROUND - steps);
        }
        int work = Math.max(steps, delivery.run());
        if (work > 0) {
            sleep.foundWork();
        }
        if (round != null) {
            round.commit();
        }
        return work;
    }

    /**
     * Makes everything counted before the last round visible to the calling thread, and returns that round's number.
     */
    public long acquireRound() {
        return (long) ROUNDS.getAcquire(this);
    }

    /** Returns the last reading of the clock, in terms of {@link System#nanoTime()}; never 0. */
    public long clock() {
        return clock.time();
    }

    /** Returns whether operations may have to be recorded, by {@link Jfr#isRecording()} at the beginning of the last round. */
    public boolean isRecording() {
        return recording;
    }

    @Override
    public EngineStats stats() {
        return stats(0);
    }

    /**
     * Returns the sums over all contexts. Any thread may call.
     *
     * @param queued the number of queued operations
     */
    public EngineStats stats(long queued) {
        acquireRound();
        return members.stats(queued, sleep.wakeUps());
    }

    /** Refuses a call that progresses or waits, by a callback. */
    public void refuseInCallback() {
        if (inUserNode) {
            throw new IllegalStateException(
                    resource.description() + " is running a user node of a graph, which cannot progress or wait");
        }
        if (delivery.isRunning()) {
            throw new IllegalStateException(resource.description()
                    + " is delivering completions: a callback cannot progress or wait, it can submit and return");
        }
    }

    @Override
    public int inFlight() {
        checkUsable();
        return members.inFlight();
    }

    /** Returns the contexts that are not closed. */
    public List<EngineContext> openContexts() {
        return List.of(members.contexts());
    }

    /** Returns the graphs that are not closed, each before its subgraphs. */
    public List<GraphCore> openGraphs() {
        return members.graphs();
    }

    /** Returns whether an instance of a graph runs. */
    public boolean isAnyGraphRunning() {
        return members.isAnyGraphRunning();
    }

    /**
     * Stops all contexts if any graph is running, and waits for the runs to end. A run cannot be ended in another way.
     */
    public void endRuns(long timeoutNanos) {
        if (members.isAnyGraphRunning()) {
            openContexts().forEach(this::stop);
            waits.progressUntil(() -> !members.isAnyGraphRunning(), timeoutNanos);
        }
    }

    private void stop(EngineContext context) {
        try {
            context.requestStop();
        } catch (Throwable failure) {
            delivery.report(failure);
        }
    }

    @Override
    public void close() {
        if (resource.state() == Resource.State.CLOSED) {
            return;
        }
        owner.check(resource);
        if (delivery.isRunning()) {
            throw new IllegalStateException(
                    resource.description() + " is delivering completions: a callback cannot close it");
        }
        EngineLoop owning = loop;
        if (owning != null) {
            throw new IllegalStateException(
                    resource.description() + " belongs to ProgressLoop \"" + owning.getName() + "\", which closes it");
        }
        delivery.runStages();
        resource.close(() -> Calls.check(
                DocaCommon.doca_pe_destroy(pe), "doca_pe_destroy", "closing the " + resource.description()));
        watch.end();
        stages.close();
        completions.close();
        sleep.close();
        arena.close();
    }

    /** Reserves the engine for a loop. It cannot be closed until the loop calls this method with null. */
    public void reserveFor(@Nullable EngineLoop newLoop) {
        loop = newLoop;
    }

    /**
     * Returns whether a loop owns the engine. Then submissions go to the device with the next progress, and operations
     * may wait for a free task.
     */
    public boolean isOfLoop() {
        return loop != null;
    }

    /** Returns the loop that owns the engine; null if none does. */
    public @Nullable EngineLoop owningLoop() {
        return loop;
    }

    /** Returns the loop that owns the engine if another thread calls; null on the engine's thread, and if no loop owns it. */
    public @Nullable EngineLoop loopOfOthers() {
        EngineLoop owning = loop;
        return owning == null || owner.isCurrent() ? null : owning;
    }

    /** Returns the callback for the successful tasks of a context, as a C function pointer. */
    public MemorySegment taskSucceeded() {
        return MemorySegment.ofAddress(completions.taskSucceeded());
    }

    /** Returns the callback for the failed tasks of a context, as a C function pointer. */
    public MemorySegment taskFailed() {
        return MemorySegment.ofAddress(completions.taskFailed());
    }

    /**
     * Returns a callback for a library event, {@code void (*)(struct ... *object, union doca_data, union doca_data
     * context)}, as a C function pointer. Its events are delivered to {@link EngineContext#event}.
     *
     * @param number from 0 to 7
     */
    public MemorySegment event(int number) {
        return MemorySegment.ofAddress(completions.event(number));
    }

    /**
     * Returns a callback for a library event without user data, {@code void (*)(struct ... *object, union doca_data
     * context)}, as a C function pointer.
     */
    public MemorySegment plainEvent(int number) {
        return MemorySegment.ofAddress(completions.plainEvent(number));
    }

    /**
     * Returns whether the SDK has reported an event for an object and the engine has not delivered it yet. The SDK may
     * have destroyed the object since, so callers check this before they pass it to the SDK.
     *
     * @param number of the callback
     * @param object the address of the object
     */
    public boolean isUndelivered(int number, long object) {
        return completions.isUnread(CompletionQueue.EVENT + number, object);
    }

    /** Returns the name of the engine in messages. */
    public String description() {
        return resource.description();
    }

    public Resource resource() {
        return resource;
    }

    /** Returns how completions and submissions pass between Java and C. */
    public CompletionMode mode() {
        return completions.mode();
    }

    /**
     * Connects a context to this engine, and returns the index that its completions carry.
     *
     * @param success called with the user data of a task, or of the last task of a series, that has succeeded
     * @param nativeContext its {@code struct doca_ctx *}
     * @param tasks the largest number of its tasks in flight
     * @param endsRounds whether its failures and changes of state end the round of progress
     */
    public int attach(EngineContext context, LongConsumer success, long nativeContext, int tasks, boolean endsRounds) {
        refuseInUserNode("start the " + context.description());
        completions.reserve(tasks);
        int index = members.add(context, success);
        try {
            connect(MemorySegment.ofAddress(nativeContext), completions.contextData(index, endsRounds));
        } catch (Throwable failure) {
            detach(index, tasks);
            throw failure;
        }
        return index;
    }

    /** Undoes an {@code attach}. Called when no callback of the context or graph can run any more. */
    public void detach(int index, int tasks) {
        members.remove(index, delivery.isRunning());
        completions.unreserve(tasks);
        completions.releaseContextData(index);
    }

    /**
     * Registers a graph, and returns the index that the completions of its instances carry.
     *
     * @param instances the largest number of instances
     */
    int attach(GraphCore graph, int instances) {
        refuseInUserNode("start a graph");
        completions.reserve(instances);
        return members.add(graph);
    }

    /** Returns the user data of the graph with this index. Called once per graph. */
    long userData(int index) {
        return completions.contextData(index, false);
    }

    /**
     * Counts a context start, and logs a warning when there were many, with the next delivery: an appender is user code.
     * The native engine keeps data of each start until it is destroyed.
     */
    public void countStart() {
        starts++;
        if (starts == MANY_STARTS) {
            delivery.later(() -> SafeLog.write(() -> LOG.warn(
                    "Contexts of {} were started {} times. DOCA keeps something of each start until the engine is closed,"
                            + " and each further start takes longer. Close the contexts and the engine, and"
                            + " create new ones.",
                    resource.description(),
                    MANY_STARTS)));
        }
    }

    /** Returns the {@code struct doca_pe *}. */
    public MemorySegment nativeEngine() {
        return pe;
    }

    /**
     * Runs a user node inside native progress. Completions that it causes are delivered after progress has returned.
     */
    public int runUserNode(IntSupplier node) {
        boolean wasInUserNode = inUserNode;
        inUserNode = true;
        try {
            return delivery.runAsCallback(node);
        } finally {
            inUserNode = wasInUserNode;
        }
    }

    /** Throws if a user node is running. Guards calls that the native engine does not support during its progress. */
    public void refuseInUserNode(String attempt) {
        if (inUserNode) {
            throw new IllegalStateException("A user node of a graph cannot " + attempt + ": do that after progress");
        }
    }

    private void connect(MemorySegment context, long userData) {
        out.set(ValueLayout.JAVA_LONG, 0, userData);
        Calls.check(DocaCommon.doca_ctx_set_user_data(context, out), "doca_ctx_set_user_data", "connecting a context");
        Calls.check(
                DocaCommon.doca_ctx_set_state_changed_cb(context, MemorySegment.ofAddress(completions.stateChanged())),
                "doca_ctx_set_state_changed_cb",
                "connecting a context");
        Calls.check(DocaCommon.doca_pe_connect_ctx(pe, context), "doca_pe_connect_ctx", "connecting a context");
    }

    /** Reads the state of a context from the SDK. */
    public int nativeState(long context) {
        Calls.check(
                TaskCalls.contextState(context, out.address()), "doca_ctx_get_state", "reading the state of a context");
        return out.get(ValueLayout.JAVA_INT, 0);
    }

    /** Called by a context that has deferred tasks. The engine flushes it before the next progress. */
    public void flushLater() {
        deferring = true;
    }

    void flushContexts() {
        if (deferring) {
            // A context that cannot submit all of its tasks calls flushLater().
            deferring = false;
            try {
                for (EngineContext context : members.contexts()) {
                    context.flushTasks();
                }
            } catch (Throwable failure) {
                // Memory may be short. The contexts behind this one still have their tasks.
                deferring = true;
                throw failure;
            }
        }
    }

    /** Returns the number of the current or last round. */
    public long round() {
        return rounds;
    }

    /** Returns a description that names the owning thread. */
    @Override
    public String toString() {
        return description();
    }
}
