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
 * Copies that are prepared once and submitted together many times. This is the cheapest way to copy: one native call submits all
 * copies, one completion reports the end of all, and the cost in Java does not depend on the number of copies.
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
 * <p>The ranges of bytes are fixed when the series is created: each submission reads the data that the sources had then, and writes
 * behind the data that the targets had then. Every submission writes to the same places. The buffers belong to the series until it
 * is closed. They cannot be changed or closed, and cannot be the target of other copies; other operations may read the sources.
 * The first submission that succeeds makes the copied bytes part of the data of the targets, and later submissions overwrite them.
 *
 * <p>A series uses as many tasks of its context as it has copies. It belongs to the engine's thread. It outlasts a stop and restart
 * of its context. Close it before its buffers, even if its context is closed.
 */
public final class DmaSeries implements AutoCloseable {

    private final ContextCore core;
    private final CopySeries copies;

    private TaskStatus status = TaskStatus.NEW;
    private @Nullable TaskFailedException failure;
    private @Nullable Consumer<? super DmaSeries> handler;
    private boolean closed;

    DmaSeries(ContextCore core, CopySeries copies) {
        this.core = core;
        this.copies = copies;
        copies.setListener(this::ended);
    }

    /**
     * Sets the handler that is called when all copies of a submission have ended, in place of the one before.
     *
     * @param newHandler called with this series by the engine's thread; it may submit the series again. Exceptions that it throws
     *     go to the engine's error handler
     * @return this series
     * @throws IllegalStateException if the series is in flight or closed, or another thread than the engine's calls
     */
    public DmaSeries onCompletion(Consumer<? super DmaSeries> newHandler) {
        Objects.requireNonNull(newHandler, "newHandler");
        checkIdle("change");
        handler = newHandler;
        return this;
    }

    /**
     * Submits all copies ({@code doca_task_submit_ex}, and {@code doca_task_submit} for the last one and each 32nd).
     *
     * <p>If the SDK accepts only some of the copies, the series is in flight until these have ended, and then fails with the reason
     * of the refusal.
     *
     * @throws IllegalStateException if the series is in flight or closed, memory of a buffer was freed, or another thread than the
     *     engine's calls
     * @throws ContextNotRunningException if the context is not running
     * @throws DocaException if the SDK refuses all copies
     */
    public void submit() {
        checkIdle("submit");
        core.checkRunning();
        copies.submit();
        status = TaskStatus.IN_FLIGHT;
    }

    /** {@return the number of copies of each submission, which does not change} */
    public int size() {
        return copies.size();
    }

    /** {@return the number of bytes that all copies of a submission copy together, which does not change} */
    public long bytes() {
        return copies.bytes();
    }

    /** {@return whether the series is new or in flight, and otherwise whether its last submission succeeded or failed} */
    public TaskStatus status() {
        core.life().checkThreadToRead();
        return status;
    }

    /** {@return whether the last submission has succeeded or failed; false for a series that is new or in flight} */
    public boolean isDone() {
        core.life().checkThreadToRead();
        return status == TaskStatus.SUCCEEDED || status == TaskStatus.FAILED;
    }

    /**
     * Returns the failure of the last submission. After a failure it is not known which of the copies were made, so the data of the
     * targets includes none of them.
     *
     * @return the failure of the copy that failed first; empty unless the last submission has failed
     */
    public Optional<TaskFailedException> failure() {
        core.life().checkThreadToRead();
        return Optional.ofNullable(status == TaskStatus.FAILED ? failure : null);
    }

    /**
     * Returns the tasks to the context, and releases the buffers for other uses. A second call does nothing.
     *
     * @throws IllegalStateException if the series is in flight, or another thread than the engine's calls
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
        status = reason == null ? TaskStatus.SUCCEEDED : TaskStatus.FAILED;
        Consumer<? super DmaSeries> callback = handler;
        if (callback != null) {
            callback.accept(this);
        }
    }

    /** Returns the number of copies, the context and the status. */
    @Override
    public String toString() {
        return "Series of " + copies.size() + " copies of the " + core.description() + ", "
                + (closed ? "closed" : status);
    }
}
