/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.Doca;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.ContextStats;
import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.jfr.Jfr;
import io.docajava.core.internal.lifecycle.OwnerThread;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.log.CallbackErrors;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inside of a {@link ProgressEngine}: the native engine, the contexts connected to it, and the delivery of what
 * they complete. Progress is native first, with callbacks that only take notes. When it has returned, the notes are
 * delivered to the contexts and so to the code of users, which may therefore call everything but progress itself.
 */
public final class EngineCore {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressEngine.class);

    /** The largest number of completions in a round, so that a flood of them cannot keep it from ending. */
    private static final int ROUND = 128;

    /** After how many starts of contexts a warning is logged. */
    private static final int MANY_STARTS = 256;

    /** The longest sleep while a context changes its state, as it is not documented that the end of that is signalled. */
    private static final long TRANSITION_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final VarHandle ROUNDS;

    static {
        try {
            ROUNDS = MethodHandles.lookup().findVarHandle(EngineCore.class, "rounds", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** How many rounds go by between two readings of the clock, which takes as long as a whole copy may. */
    private static final int CLOCK_ROUNDS = 64;

    /** If so many rounds take longer than this, the clock is read in each of them. */
    private static final long LONG_ROUNDS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** How long operations may be in flight without that one of their context completes, if not set. */
    public static final Duration WARN_AFTER = Duration.ofSeconds(10);

    private final OwnerThread owner = new OwnerThread();
    /** Not a confined one: another thread may take over the engine of a thread that has ended. */
    private final Arena arena = Arena.ofShared();

    private final MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
    private final Resource resource;
    private final CompletionQueue completions;
    private final MemorySegment pe;
    /** Changed by the engine's thread, which alone reads it without its lock. */
    private final List<@Nullable EngineContext> contexts = new ArrayList<>();
    /** The numbers of closed contexts; guarded by {@link #contexts}. */
    private final Activity closedActivity = new Activity();

    /** By their numbers, under which there is no context; in the order in which they were started. */
    private final Map<Integer, GraphCore> graphs = new LinkedHashMap<>();
    /** Indices of closed contexts, to be used again. */
    private final ArrayDeque<Integer> freeIndices = new ArrayDeque<>();
    /** Indices of contexts closed during the present delivery, for which records may be undelivered. */
    private final ArrayDeque<Integer> quarantinedIndices = new ArrayDeque<>();

    private Consumer<? super Throwable> errorHandler = EngineCore::log;
    private IdleStrategy idleStrategy = IdleStrategy.yielding();
    private boolean delivering;
    /** True if a user node of a graph is running, inside of native progress. */
    private boolean inUserNode;
    /** The loop whose engine this is, which alone closes it; null for an engine by itself. */
    private @Nullable String loop;

    /** Errors that the SDK logged in the round that is being delivered. */
    private List<String> reasons = List.of();

    /** Counts the calls of progress, each of which may deliver much. */
    private long rounds;
    /** The number of starts of contexts. */
    private int starts;
    /** The number of contexts that hold back a task of a batch. */
    private int holding;
    /** The number of operations of all contexts that wait for a free task. */
    private int waiting;
    /** Operations that ended without the SDK, to be delivered like completions. */
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();

    /** Events of upcalls, one for each placeholder among the completions. */
    private final ArrayDeque<Runnable> upcalls = new ArrayDeque<>();

    /** The time that the strategy may sleep, in a wait with a deadline. */
    private long remainingNanos = Long.MAX_VALUE;

    private final EngineSleep sleep;

    /** The time when the clock was last read; never 0. */
    private long clock = now();
    /** True if operations may have to be recorded, as read at the beginning of the last round. */
    private boolean recording;
    /** The number of rounds until the clock is read again. */
    private int roundsToClock;
    /** How long operations may be in flight without that one of their context completes. */
    private long warnNanos = Deadlines.nanos(WARN_AFTER);

    /** Creates the native engine for the calling thread. */
    public EngineCore(ProgressEngine engine) {
        try {
            Doca.load();
            completions = CompletionQueue.open(CompletionMode.preferred());
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        try {
            Calls.check(DocaCommon.doca_pe_create(out), "doca_pe_create", "creating a progress engine");
        } catch (Throwable failure) {
            completions.close();
            arena.close();
            throw failure;
        }
        pe = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
        sleep = new EngineSleep(pe, out);
        resource = Resource.open(engine, "ProgressEngine of " + OwnerThread.name(owner.thread()));
    }

    /** The thread that the engine and its contexts belong to. */
    public OwnerThread owner() {
        return owner;
    }

    /** Refuses calls by other threads and after close. */
    public void checkUsable() {
        StackGuard.check();
        owner.check(resource);
        resource.checkOpen();
    }

    public void errorHandler(Consumer<? super Throwable> handler) {
        checkUsable();
        errorHandler = Objects.requireNonNull(handler, "handler");
    }

    public void idleStrategy(IdleStrategy strategy) {
        checkUsable();
        idleStrategy = strategy;
    }

    /** Sets how long operations may be in flight without that one of their context completes; 0 if for ever. */
    public void warnAfter(Duration time) {
        checkUsable();
        warnNanos = time.isZero() ? Long.MAX_VALUE : Deadlines.nanos(time);
    }

    /** One round of native progress, and the delivery of all that it brought; 0 when there was nothing to do. */
    public int progress() {
        checkUsable();
        refuseInCallback();
        recording = Jfr.isRecording();
        Event round = recording ? Jfr.startRound() : null;
        if (roundsToClock == 0) {
            readClock();
        } else {
            roundsToClock--;
        }
        flushBatches();
        ROUNDS.setRelease(this, rounds + 1);
        int steps = completions.progress(pe.address(), ROUND);
        if (sleep.disarm()) {
            steps += completions.progress(pe.address(), ROUND - steps);
        }
        int work = Math.max(steps, deliver());
        if (round != null) {
            round.commit();
        }
        return work;
    }

    private static long now() {
        return System.nanoTime() | 1;
    }

    /** Reads the clock, and warns of contexts in which operations are in flight and none has completed for too long. */
    private long readClock() {
        long now = now();
        roundsToClock = now - clock < LONG_ROUNDS_NANOS ? CLOCK_ROUNDS - 1 : 0;
        clock = now;
        for (int i = 0; i < contexts.size(); i++) {
            EngineContext context = contexts.get(i);
            if (context != null) {
                String warning = context.tick(now, warnNanos);
                if (warning != null) {
                    LOG.warn(warning);
                }
            }
        }
        return now;
    }

    /** Makes visible to the calling thread what was counted before the last round, and returns the number of that. */
    public long acquireRound() {
        return (long) ROUNDS.getAcquire(this);
    }

    /** Returns the time when the clock was last read, in that of {@link System#nanoTime()}; never 0. */
    public long clock() {
        return clock;
    }

    /** Returns whether operations may have to be recorded, as of the last round. */
    public boolean isRecording() {
        return recording;
    }

    /**
     * Returns the numbers of all contexts. Any thread may call.
     *
     * @param queued the number of pieces of work that wait
     */
    public EngineStats stats(long queued) {
        acquireRound();
        synchronized (contexts) {
            ContextStats closed = closedActivity.stats(0);
            long inFlight = 0;
            long completed = closed.completed();
            long failed = closed.failed();
            long bytes = closed.bytes();
            Duration oldest = Duration.ZERO;
            for (EngineContext context : contexts) {
                if (context != null) {
                    ContextStats open = context.stats();
                    inFlight += open.inFlight();
                    completed += open.completed();
                    failed += open.failed();
                    bytes += open.bytes();
                    oldest = open.oldestInFlight().compareTo(oldest) > 0 ? open.oldestInFlight() : oldest;
                }
            }
            return new EngineStats(queued, inFlight, completed, failed, bytes, oldest, sleep.wakeUps());
        }
    }

    private void refuseInCallback() {
        if (inUserNode) {
            throw new IllegalStateException(
                    resource.description() + " is running a user node of a graph, which cannot progress or wait");
        }
        if (delivering) {
            throw new IllegalStateException(resource.description()
                    + " is delivering completions: a callback cannot progress or wait, it can submit and return");
        }
    }

    /** Progresses until a condition holds; false when it still does not after a time. */
    public boolean progressUntil(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        checkUsable();
        long timeoutNanos = Deadlines.nanos(timeout);
        BooleanSupplier conditionOrInterrupt =
                () -> condition.getAsBoolean() || Thread.currentThread().isInterrupted();
        boolean ended = waitUntil(conditionOrInterrupt, timeoutNanos);
        if (condition.getAsBoolean()) {
            return true;
        }
        if (ended && Thread.interrupted()) {
            throw new InterruptedException(resource.description() + " was waiting for completions");
        }
        return false;
    }

    /** The same for waits that an interrupt does not end: as it keeps a thread from sleeping, it is put off. */
    public boolean progressUntil(BooleanSupplier condition, long timeoutNanos) {
        AtomicBoolean interrupted = new AtomicBoolean();
        BooleanSupplier conditionWithoutInterrupt = () -> {
            if (Thread.interrupted()) {
                interrupted.set(true);
            }
            return condition.getAsBoolean();
        };
        try {
            return waitUntil(conditionWithoutInterrupt, timeoutNanos);
        } finally {
            if (interrupted.get()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean waitUntil(BooleanSupplier condition, long timeoutNanos) {
        if (condition.getAsBoolean()) {
            return true;
        }
        long start = readClock();
        while (true) {
            int work = progress();
            if (condition.getAsBoolean()) {
                return true;
            }
            clock = now();
            long remaining = timeoutNanos - (clock - start);
            if (remaining <= 0) {
                return false;
            }
            idle(work, remaining);
        }
    }

    /** Idles within a time, which bounds the sleeps of the strategy. */
    private void idle(int work, long nanos) {
        long before = remainingNanos;
        remainingNanos = Math.min(before, nanos);
        try {
            idleStrategy.idle(work);
        } finally {
            remainingNanos = before;
        }
    }

    /** Sleeps until something happens, the time of a wait is up, or the thread is interrupted. */
    public void sleep() {
        checkUsable();
        refuseInCallback();
        await(remainingNanos);
    }

    /** Sleeps until something happens; false when nothing did in a time. */
    public boolean awaitEvent(Duration timeout) throws InterruptedException {
        checkUsable();
        refuseInCallback();
        long start = System.nanoTime();
        long timeoutNanos = Deadlines.nanos(timeout);
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException(resource.description() + " was waiting for an event");
            }
            long remaining = Math.max(timeoutNanos - (System.nanoTime() - start), 0);
            if (await(remaining) || isAnyInTransition()) {
                return true;
            }
            if (remaining == 0) {
                return false;
            }
        }
    }

    private boolean await(long nanos) {
        flushBatches();
        if (!later.isEmpty()) {
            return true;
        }
        readClock();
        Event asleep = Jfr.startSleep();
        boolean signalled = sleep.await(Math.min(Math.min(sleepLimit(), nanosToWarning()), nanos));
        if (asleep != null) {
            asleep.commit();
        }
        readClock();
        return signalled;
    }

    /** Ends a sleep, or lets the next one end at once. Any thread may call. */
    public void wakeUp() {
        if (!sleep.wake()) {
            // It may be parked by its strategy; if it is not, this costs little.
            LockSupport.unpark(owner.thread());
        }
    }

    private long sleepLimit() {
        return isAnyInTransition() ? TRANSITION_SLEEP_NANOS : Long.MAX_VALUE;
    }

    /** Returns when the clock has to be read again for a warning. */
    private long nanosToWarning() {
        long nanos = Long.MAX_VALUE;
        for (EngineContext context : contexts) {
            if (context != null) {
                nanos = Math.min(nanos, context.activity().nanosToReport(clock, warnNanos));
            }
        }
        return Math.max(nanos, 0);
    }

    private boolean isAnyInTransition() {
        for (EngineContext context : contexts) {
            if (context != null && context.isInTransition()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of tasks in flight of all contexts. */
    public int inFlight() {
        checkUsable();
        int sum = 0;
        for (EngineContext context : contexts) {
            if (context != null) {
                sum += context.activity().inFlight();
            }
        }
        return sum;
    }

    /** The contexts that are not closed. */
    public List<EngineContext> openContexts() {
        List<EngineContext> open = new ArrayList<>();
        for (EngineContext context : contexts) {
            if (context != null) {
                open.add(context);
            }
        }
        return open;
    }

    /** The graphs that are not closed, each before those that are parts of it. */
    public List<GraphCore> openGraphs() {
        return new ArrayList<>(graphs.values()).reversed();
    }

    /** Ends what graphs run, within a time: nothing else ends a run than its contexts. */
    public void endRuns(long timeoutNanos) {
        if (isAnyGraphRunning()) {
            openContexts().forEach(this::stop);
            progressUntil(() -> !isAnyGraphRunning(), timeoutNanos);
        }
    }

    private boolean isAnyGraphRunning() {
        return graphs.values().stream().anyMatch(GraphCore::isRunning);
    }

    private void stop(EngineContext context) {
        try {
            context.requestStop();
        } catch (RuntimeException failure) {
            report(failure);
        }
    }

    /** Destroys the native engine; refused while contexts are open. */
    public void close() {
        if (resource.state() == Resource.State.CLOSED) {
            return;
        }
        owner.check(resource);
        if (delivering) {
            throw new IllegalStateException(
                    resource.description() + " is delivering completions: a callback cannot close it");
        }
        if (loop != null) {
            throw new IllegalStateException(
                    resource.description() + " belongs to ProgressLoop \"" + loop + "\", which closes it");
        }
        resource.close(() -> Calls.check(
                DocaCommon.doca_pe_destroy(pe), "doca_pe_destroy", "closing the " + resource.description()));
        completions.close();
        sleep.close();
        arena.close();
    }

    /** Lets only the end of a loop close the engine: by null in place of the loop's name. */
    public void reserveFor(@Nullable String loopName) {
        loop = loopName;
    }

    /**
     * Returns whether the engine is that of a loop: what is submitted goes to the device with the next progress, and what
     * finds no free task may wait.
     */
    public boolean isOfLoop() {
        return loop != null;
    }

    /** Returns the number of operations that wait for a free task of their context. */
    public int waiting() {
        return waiting;
    }

    /** Adds to the number of operations that wait for free tasks, of which a loop accepts a limited number. */
    public void addWaiting(int more) {
        waiting += more;
    }

    /** Submits operations that wait for tasks that are free now; in a delivery, as failures run callbacks. */
    private void submitWaiting() {
        if (waiting > 0) {
            for (int i = 0; i < contexts.size(); i++) {
                EngineContext context = contexts.get(i);
                if (context != null) {
                    context.submitWaiting();
                }
            }
        }
    }

    /** The callback for the tasks of a context that succeed, as a C function pointer. */
    public MemorySegment taskSucceeded() {
        return MemorySegment.ofAddress(completions.taskSucceeded());
    }

    /** The callback for the tasks of a context that fail, as a C function pointer. */
    public MemorySegment taskFailed() {
        return MemorySegment.ofAddress(completions.taskFailed());
    }

    /**
     * A callback for an event of a library, {@code void (*)(struct ... *object, union doca_data, union doca_data context)}, as a
     * C function pointer; what it notes comes to {@link EngineContext#event}.
     *
     * @param number from 0 to 7
     */
    public MemorySegment event(int number) {
        return MemorySegment.ofAddress(completions.event(number));
    }

    /** The same for one without user data of its own, {@code void (*)(struct ... *object, union doca_data context)}. */
    public MemorySegment plainEvent(int number) {
        return MemorySegment.ofAddress(completions.plainEvent(number));
    }

    /**
     * Returns whether the SDK has reported an event that was not delivered yet. It may have destroyed what that is about, so
     * who calls its functions in the code of users asks before.
     *
     * @param number of the callback
     * @param object what the event is about
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

    /** Returns the way in which completions and submissions cross between Java and C. */
    public CompletionMode mode() {
        return completions.mode();
    }

    /**
     * Connects a context to this engine and gives it the number under which its completions come.
     *
     * @param nativeContext its {@code struct doca_ctx *}
     * @param tasks how many completions it may have in flight
     */
    public int attach(EngineContext context, long nativeContext, int tasks) {
        refuseInUserNode("start the " + context.description());
        completions.reserve(tasks);
        int index = freeIndex();
        synchronized (contexts) {
            contexts.set(index, context);
        }
        try {
            connect(MemorySegment.ofAddress(nativeContext), completions.contextData(index));
        } catch (Throwable failure) {
            detach(index, tasks);
            throw failure;
        }
        return index;
    }

    /** Ends what {@link #attach} began, when no callback of the context can run any more. */
    public void detach(int index, int tasks) {
        synchronized (contexts) {
            EngineContext context = contexts.set(index, null);
            if (context != null) {
                closedActivity.add(context.activity());
            }
        }
        (delivering ? quarantinedIndices : freeIndices).add(index);
        completions.unreserve(tasks);
        completions.releaseContextData(index);
    }

    /**
     * Gives a graph the number under which the ends of its instances come.
     *
     * @param instances how many there may be
     */
    int attach(GraphCore graph, int instances) {
        refuseInUserNode("start a graph");
        completions.reserve(instances);
        int index = freeIndex();
        graphs.put(index, graph);
        return index;
    }

    /** Ends what {@link #attach(GraphCore, int)} began, when no callback of the graph can run any more. */
    void detachGraph(int index, int instances) {
        graphs.remove(index);
        detach(index, instances);
    }

    /** The user data of the graph with this number, to be asked for once. */
    long userData(int index) {
        return completions.contextData(index);
    }

    /** A context was started, which the native engine remembers for as long as it lives. */
    public void countStart() {
        starts++;
        if (starts == MANY_STARTS) {
            LOG.warn(
                    "Contexts of {} were started {} times. DOCA keeps something of each start until the engine is closed,"
                            + " and each further start takes longer. Close the contexts and the engine, and"
                            + " create new ones.",
                    resource.description(),
                    starts);
        }
    }

    /** The {@code struct doca_pe *}. */
    MemorySegment nativeEngine() {
        return pe;
    }

    /** The inside of one of the contexts that are not closed, or null if it is none of these. */
    @Nullable
    EngineContext find(Context context) {
        for (EngineContext core : contexts) {
            if (core != null && core.isOf(context)) {
                return core;
            }
        }
        return null;
    }

    /** Runs a user node. The completions that it causes are delivered after progress has returned. */
    int runUserNode(IntSupplier node) {
        boolean wasInUserNode = inUserNode;
        boolean wasDelivering = delivering;
        inUserNode = true;
        delivering = true;
        try {
            return node.getAsInt();
        } finally {
            inUserNode = wasInUserNode;
            delivering = wasDelivering;
        }
    }

    /** Refuses what the native engine would not survive in the middle of its progress. */
    public void refuseInUserNode(String attempt) {
        if (inUserNode) {
            throw new IllegalStateException("A user node of a graph cannot " + attempt + ": do that after progress");
        }
    }

    private int freeIndex() {
        Integer free = freeIndices.poll();
        if (free != null) {
            return free;
        }
        synchronized (contexts) {
            contexts.add(null);
        }
        return contexts.size() - 1;
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

    /** The state that the SDK says a context is in. */
    public int nativeState(long context) {
        Calls.check(
                TaskCalls.contextState(context, out.address()), "doca_ctx_get_state", "reading the state of a context");
        return out.get(ValueLayout.JAVA_INT, 0);
    }

    /** Why tasks failed in the round that is being delivered, as far as the SDK said so. */
    public List<String> reasons() {
        return reasons;
    }

    /** A context holds a task back, which is submitted before progress, so that nobody waits for it in vain. */
    public void beginHolding() {
        holding++;
    }

    /** Takes {@link #beginHolding()} back. */
    public void endHolding() {
        holding--;
    }

    private void flushBatches() {
        if (holding > 0) {
            // By their numbers, since an iterator would be allocated for each progress.
            for (int i = 0; i < contexts.size(); i++) {
                EngineContext context = contexts.get(i);
                if (context != null) {
                    context.flushBatch();
                }
            }
        }
    }

    /** Has something done in the next delivery, or in this one, behind what the SDK has noted. */
    public void deliverLater(Runnable delivery) {
        later.add(delivery);
    }

    /**
     * Has something done in its turn: behind all that the SDK has noted until now, and before all that it notes later. For
     * callbacks that come to Java at once, and may not run the code of users.
     */
    public void deliverInTurn(Runnable delivery) {
        upcalls.add(delivery);
        if (!completions.appendPlaceholder()) {
            upcalls.removeLast();
            later.add(delivery);
        }
    }

    /** Which call of progress this is, or was. */
    public long round() {
        return rounds;
    }

    /** Returns whether completions are being delivered, so that the code of users may run. */
    public boolean isDelivering() {
        return delivering;
    }

    /** Delivers what a call other than progress has noted. Inside of a callback, the delivery under way will do it. */
    public void deliverPending() {
        if (!delivering) {
            deliver();
        }
    }

    private int deliver() {
        int delivered = 0;
        delivering = true;
        // Taken before any code of a user makes calls that log on their own.
        reasons = Calls.reasons();
        try {
            while (deliverNext()) {
                delivered++;
            }
            submitWaiting();
        } finally {
            delivering = false;
            if (!quarantinedIndices.isEmpty()) {
                freeIndices.addAll(quarantinedIndices);
                quarantinedIndices.clear();
            }
        }
        return delivered;
    }

    private boolean deliverNext() {
        boolean noted = completions.next();
        Runnable delivery = noted ? null : later.poll();
        try {
            if (noted) {
                deliverOne();
            } else if (delivery != null) {
                delivery.run();
            }
        } catch (Throwable failure) {
            report(failure);
        }
        return noted || delivery != null;
    }

    private void deliverOne() {
        if (completions.kind() == CompletionQueue.PLACEHOLDER) {
            upcalls.remove().run();
            return;
        }
        EngineContext context = contexts.get(completions.contextIndex());
        if (context == null) {
            deliverToGraph();
            return;
        }
        switch (completions.kind()) {
            case CompletionQueue.TASK_SUCCEEDED -> context.taskSucceeded(completions.userData());
            case CompletionQueue.TASK_FAILED -> context.taskFailed(completions.userData(), completions.object());
            case CompletionQueue.STATE_CHANGED ->
                context.stateChanged(
                        ContextState.of(completions.previousState()), ContextState.of(completions.nextState()));
            default ->
                context.event(completions.kind() - CompletionQueue.EVENT, completions.object(), completions.userData());
        }
    }

    private void deliverToGraph() {
        GraphCore graph = graphs.get(completions.contextIndex());
        if (graph != null) {
            graph.ended(completions.kind() - CompletionQueue.EVENT, (int) completions.userData());
        }
    }

    /** Hands what the code of a user threw to the error handler, and to the log when that throws as well. */
    public void report(Throwable failure) {
        try {
            errorHandler.accept(failure);
        } catch (Throwable second) {
            if (!second.equals(failure)) {
                second.addSuppressed(failure);
            }
            CallbackErrors.report(LOG, "The error handler of a progress engine failed", second);
        }
    }

    private static void log(Throwable failure) {
        CallbackErrors.report(LOG, "A callback failed; the progress engine goes on", failure);
    }
}
