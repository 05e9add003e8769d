/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.ProgressEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps prepared operations in flight: each is submitted again as soon as it has ended, up to a number of submissions. */
final class Rounds {

    private final ProgressEngine engine;
    private final List<Repeated> operations;

    private long left;
    private int inFlight;
    private long[] times = {};
    private int ended;
    private @Nullable TaskFailedException failure;

    Rounds(ProgressEngine engine, List<Repeated> operations) {
        this.engine = engine;
        this.operations = operations;
        operations.forEach(one -> one.task().onCompletion(task -> {
            task.failure().ifPresent(this::fail);
            proceed(one);
        }));
    }

    /**
     * Runs the given number of operations.
     *
     * @return the end time of each operation in ns
     * @throws TaskFailedException if an operation fails
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
     */
    void run(int number) throws InterruptedException {
        left = number;
        ended = 0;
        operations.forEach(this::submit);
        engine.await(() -> inFlight == 0);
        if (failure != null) {
            throw failure;
        }
    }

    private void submit(Repeated one) {
        if (left > 0) {
            left--;
            inFlight++;
            one.submit();
        }
    }

    private void proceed(Repeated one) {
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
