/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.DocaException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaTask;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps prepared operations in flight: each is submitted again as soon as it has ended, up to a number of submissions. */
final class Rounds {

    private static final Duration TO_END = Duration.ofSeconds(10);

    private final ProgressEngine engine;
    private final List<RdmaTask> operations;

    private long left;
    private int inFlight;
    private long[] times = {};
    private int ended;
    private @Nullable TaskFailedException failure;
    private @Nullable DocaException refusal;

    Rounds(ProgressEngine engine, List<RdmaTask> operations) {
        this.engine = engine;
        this.operations = operations;
        operations.forEach(one -> one.onCompletion(task -> {
            task.failure().ifPresent(this::fail);
            proceed(task);
        }));
    }

    /**
     * Runs the given number of operations.
     *
     * @return the end time of each operation in ns
     * @throws TaskFailedException if an operation fails
     * @throws DocaException if an operation is refused and none has failed
     */
    long[] runTimed(int number) throws InterruptedException {
        times = new long[number];
        run(number);
        return times;
    }

    /**
     * Runs the given number of operations.
     *
     * @throws TaskFailedException if an operation fails
     * @throws DocaException if an operation is refused and none has failed
     */
    void run(int number) throws InterruptedException {
        left = number;
        ended = 0;
        operations.forEach(this::submit);
        awaitEnd();
        DocaException reason = failure != null ? failure : refusal;
        if (reason != null) {
            throw reason;
        }
    }

    /** If the thread is interrupted, ends the operations first, as their memory cannot be closed before. */
    private void awaitEnd() throws InterruptedException {
        try {
            engine.await(() -> inFlight == 0);
        } catch (InterruptedException e) {
            left = 0;
            engine.await(() -> inFlight == 0, TO_END);
            throw e;
        }
    }

    private void submit(RdmaTask one) {
        if (left == 0) {
            return;
        }
        try {
            one.submit();
            left--;
            inFlight++;
        } catch (DocaException reason) {
            // The failure that has stopped the context or ended the connection may not be reported yet.
            left = 0;
            refusal = reason;
        }
    }

    private void proceed(RdmaTask one) {
        inFlight--;
        if (ended < times.length) {
            times[ended++] = System.nanoTime();
        }
        submit(one);
    }

    /** Keeps the first failure, which causes the others by the stop of the context. */
    private void fail(TaskFailedException reason) {
        left = 0;
        if (failure == null) {
            failure = reason;
        }
    }
}
