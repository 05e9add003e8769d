/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

import java.time.Duration;
import java.util.Objects;

/**
 * A snapshot of the operations of a context, since it was created and at present; see {@link Context#stats()}.
 *
 * <p>Each number was right at some moment during the call, and includes all operations whose results the calling thread has
 * already seen. The numbers may be of different moments, since the engine's thread does not stop for a snapshot. An operation
 * that ends during the call may be counted as both in flight and completed, or as neither.
 *
 * <p>Each operation of a series counts, and so does each task of a copy to a list of buffers. A task of a graph is in
 * flight while the graph runs; if the run ends before it reaches the task, the task counts as neither completed nor failed.
 * Messages that a comm channel receives do not count, since they are not operations of the program.
 *
 * @param queued the number of operations that wait for a free task, on a {@linkplain io.docajava.core.progress.ProgressLoop loop}
 * @param inFlight the number of submitted tasks whose completions have not been delivered yet
 * @param completed the number of operations that have succeeded
 * @param failed the number of operations that have failed after their submission, including those that a stop has aborted
 * @param bytes the number of bytes that completed operations have moved
 * @param rebinds how often an operation on ranges used another map on one side than its task before, which costs some 20 to 30 ns
 *     more
 * @param oldestInFlight how long ago the oldest operation in flight was submitted; zero if none is. The error is at most 64
 *     rounds of progress, since the engine reads the clock in every 64th round, and before and after each wait
 */
public record ContextStats(
        long queued, long inFlight, long completed, long failed, long bytes, long rebinds, Duration oldestInFlight) {

    /** Checks the components. */
    public ContextStats {
        Objects.requireNonNull(oldestInFlight, "oldestInFlight");
    }
}
