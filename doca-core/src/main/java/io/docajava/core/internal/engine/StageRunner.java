/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.internal.lifecycle.OwnerThread;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs the dependent stages of an engine's completions on the engine's thread. Any thread may complete a completion, or add a stage
 * to one that is done: the stage then waits for the next progress. After the engine was closed or its thread has ended, it runs on
 * the thread that completes.
 *
 * <p>On the engine's thread a stage runs at once, unless another stage starts it: then it runs after that one, or with the progress
 * that this one makes. A long chain of stages therefore does not overflow the stack.
 */
public final class StageRunner implements Executor {

    private final OwnerThread owner;
    private final Runnable wakeUp;

    /** Stages of other threads, the newest first. Any thread adds; the engine's thread takes all at once. */
    private final AtomicReference<@Nullable Waiting> added = new AtomicReference<>();

    /** Stages that were taken and have not run, the oldest first. Only the engine's thread uses this and the fields below. */
    private @Nullable Waiting taken;

    /** Stages that a running stage has started. */
    private final ArrayDeque<Runnable> started = new ArrayDeque<>();

    private boolean running;

    /** Set before the last stages of other threads are taken. */
    private volatile boolean closed;

    /** A node of a list of stages. */
    private static final class Waiting {

        final Runnable stage;

        @Nullable
        Waiting next;

        Waiting(Runnable stage) {
            this.stage = stage;
        }
    }

    /**
     * Creates a runner.
     *
     * @param owner the thread of the engine
     * @param wakeUp makes that thread progress if it is asleep
     */
    StageRunner(OwnerThread owner, Runnable wakeUp) {
        this.owner = owner;
        this.wakeUp = wakeUp;
    }

    @Override
    public void execute(Runnable stage) {
        if (owner.isCurrent()) {
            runHere(stage);
        } else if (isUnattended()) {
            stage.run();
        } else {
            add(stage);
        }
    }

    private void add(Runnable stage) {
        Waiting newest = new Waiting(stage);
        added.getAndUpdate(older -> {
            newest.next = older;
            return newest;
        });
        wakeUp.run();
        // The thread may have ended since, without a further look at the stages.
        if (isUnattended()) {
            for (Waiting left = takeAdded(); left != null; left = left.next) {
                left.stage.run();
            }
        }
    }

    private boolean isUnattended() {
        return closed || !owner.thread().isAlive();
    }

    private void runHere(Runnable stage) {
        if (running) {
            started.add(stage);
            return;
        }
        running = true;
        try {
            for (Runnable next = stage; next != null; next = started.poll()) {
                next.run();
            }
        } finally {
            running = false;
        }
    }

    /** Returns whether stages wait for {@link #run()}. */
    boolean isAny() {
        return added.get() != null || taken != null || !started.isEmpty();
    }

    /**
     * Runs the stages that wait now, the oldest first, also if the caller is a stage that progresses. If it throws, the others still
     * wait. Allocates nothing.
     *
     * @return their number
     */
    int run() {
        boolean wasRunning = running;
        running = true;
        try {
            int count = runTaken();
            taken = takeAdded();
            return count + runTaken();
        } finally {
            running = wasRunning;
        }
    }

    private int runTaken() {
        int count = 0;
        for (Runnable stage = next(); stage != null; stage = next()) {
            stage.run();
            count++;
        }
        return count;
    }

    private @Nullable Runnable next() {
        Runnable stage = started.poll();
        Waiting first = taken;
        if (stage == null && first != null) {
            taken = first.next;
            return first.stage;
        }
        return stage;
    }

    /** Runs the stages that wait. Later ones run on the threads that complete. A second call does nothing. */
    public void close() {
        closed = true;
        run();
    }

    /** Takes the stages of other threads, and returns them with the oldest first. */
    private @Nullable Waiting takeAdded() {
        Waiting oldest = null;
        Waiting newest = added.getAndSet(null);
        while (newest != null) {
            Waiting older = newest.next;
            newest.next = oldest;
            oldest = newest;
            newest = older;
        }
        return oldest;
    }
}
