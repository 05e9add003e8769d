/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import java.time.Duration;
import java.util.Objects;

/**
 * A snapshot of the operations of a context, since it was created and at present; see {@link Context#stats()}.
 *
 * <p>Each number is right for some moment during the call, and includes everything that happened before the calling thread learned of
 * it: a thread that has the result of a copy finds the copy counted. The numbers are not of one moment, as the engine's thread
 * does not stop for a snapshot. An operation that ends meanwhile may be counted as in flight and as completed, or as neither.
 *
 * <p>A batch and a series count each of their operations, a copy to a list of buffers each of its tasks. A task of a graph is in
 * flight as long as the graph runs; if the run ends before its turn, it counts as neither completed nor failed.
 * Messages that a comm channel receives are not counted, as no operation of the program receives them.
 *
 * @param queued the number of operations that wait for a free task, on a {@linkplain io.docajava.core.progress.ProgressLoop loop}
 * @param inFlight the number of tasks that are submitted, and whose completions are not delivered yet
 * @param completed the number of operations that have succeeded
 * @param failed the number of operations that have failed after their submission, those that a stop has aborted included
 * @param bytes the number of bytes that completed operations have moved
 * @param oldestInFlight how long ago the oldest operation in flight was submitted; zero if none is. The engine reads the clock
 *     at least in every 64th call of progress, and when it begins and ends to wait, and takes that time for all operations
 *     until it reads it again
 */
public record ContextStats(
        long queued, long inFlight, long completed, long failed, long bytes, Duration oldestInFlight) {

    /** Checks the components. */
    public ContextStats {
        Objects.requireNonNull(oldestInFlight, "oldestInFlight");
    }
}
