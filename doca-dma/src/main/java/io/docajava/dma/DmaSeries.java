/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.memory.Buf;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies that are prepared once and submitted together, again and again: the cheapest way to copy, as what Java does for
 * a submission does not depend on how many copies it has. One native call submits them all, one completion reports that all
 * have ended.
 *
 * {@snippet :
 * try (DmaSeries series = dma.series(sources, targets)) {
 *     while (produce(sourceMemory)) {
 *         series.submit();
 *         while (!series.isDone()) {
 *             engine.progress();
 *         }
 *         consume(targetMemory);
 *     }
 * }
 * }
 *
 * <p>Each submission copies the data of each source, as it was when the series was made, behind the data that its target
 * had then. So every submission writes to the same places. Buffers belong to the series until it is closed: they cannot
 * be changed, closed or be the target of other copies; the sources may be read by others. After the first submission that
 * succeeds the targets have the data that was copied, and keep it during the next ones.
 *
 * <p>A series uses as many tasks of its context as it has copies. It is used by the engine's thread. The context may stop
 * and restart meanwhile; a series is to be closed before its buffers, also when its context is closed.
 */
public final class DmaSeries implements AutoCloseable {

    private static final int NEW = 0;
    private static final int IN_FLIGHT = 1;
    private static final int SUCCEEDED = 2;
    private static final int FAILED = 3;

    private final ContextCore core;
    private final CopySeries copies;

    private int status = NEW;
    private @Nullable TaskFailedException failure;
    private @Nullable Consumer<? super DmaSeries> handler;
    private boolean closed;

    DmaSeries(ContextCore core, CopySeries copies) {
        this.core = core;
        this.copies = copies;
        copies.setListener(this::ended);
    }

    /**
     * Sets what is called when a submission has ended, all of its copies. It may submit the series again. What it throws
     * goes to the engine's error handler.
     *
     * @return this series
     * @throws IllegalStateException if the series is in flight or closed, or the thread is the wrong one
     */
    public DmaSeries onCompletion(Consumer<? super DmaSeries> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        checkIdle("change");
        handler = newHandler;
        return this;
    }

    /**
     * Starts all copies ({@code doca_task_submit_ex}, and {@code doca_task_submit} for the last one and each 32nd).
     *
     * <p>Should the SDK take some of them only, the series is in flight with these, and then fails with the reason.
     *
     * @throws IllegalStateException if the series is in flight or closed, memory of a buffer was freed, or the thread is the
     *     wrong one
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK takes none of them
     */
    public void submit() {
        checkIdle("submit");
        core.checkRunning();
        copies.submit();
        status = IN_FLIGHT;
    }

    /** Returns the number of copies. */
    public int size() {
        return copies.size();
    }

    /** Returns the total number of bytes that a submission copies. */
    public long bytes() {
        return copies.bytes();
    }

    /** Returns the state of the series. */
    public TaskStatus status() {
        core.checkThread();
        return publicStatus();
    }

    private TaskStatus publicStatus() {
        return switch (status) {
            case IN_FLIGHT -> TaskStatus.IN_FLIGHT;
            case SUCCEEDED -> TaskStatus.SUCCEEDED;
            case FAILED -> TaskStatus.FAILED;
            default -> TaskStatus.NEW;
        };
    }

    /** Returns whether all copies of the last submission have ended, well or not. */
    public boolean isDone() {
        core.checkThread();
        return status == SUCCEEDED || status == FAILED;
    }

    /**
     * Why the last submission failed, the first reason if there were several; empty unless it did. Which copies were made
     * is not known then: the targets count as empty of them.
     */
    public Optional<TaskFailedException> failure() {
        core.checkThread();
        return Optional.ofNullable(status == FAILED ? failure : null);
    }

    /**
     * Gives the tasks back to the context, and the buffers back to their other users. A second call does nothing.
     *
     * @throws IllegalStateException if the series is in flight, or the thread is the wrong one
     */
    @Override
    public void close() {
        core.checkThreadToClose();
        if (closed) {
            return;
        }
        if (copies.isInFlight()) {
            throw inFlight("close");
        }
        closed = true;
        copies.close();
    }

    private void checkIdle(String purpose) {
        core.checkUsable();
        if (closed) {
            throw new IllegalStateException("The series of the " + core.description() + " is closed");
        }
        if (copies.isInFlight()) {
            throw inFlight(purpose);
        }
    }

    private IllegalStateException inFlight(String purpose) {
        return new IllegalStateException("Cannot " + purpose + " a series in flight of the " + core.description()
                + ": progress until it is done");
    }

    /** Checks the arguments of a series before anything is done. */
    static void check(List<Buf> sources, List<Buf> targets) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("A series has at least 1 copy");
        }
        if (sources.size() != targets.size()) {
            throw new IllegalArgumentException("A series has as many targets as sources, and not " + sources.size()
                    + " sources and " + targets.size() + " targets");
        }
    }

    private void ended(@Nullable TaskFailedException reason) {
        failure = reason;
        status = reason == null ? SUCCEEDED : FAILED;
        Consumer<? super DmaSeries> callback = handler;
        if (callback != null) {
            callback.accept(this);
        }
    }

    /** Returns the number of copies, the context and the status. */
    @Override
    public String toString() {
        return "Series of " + copies.size() + " copies of the " + core.description() + ", "
                + (closed ? "closed" : publicStatus());
    }
}
