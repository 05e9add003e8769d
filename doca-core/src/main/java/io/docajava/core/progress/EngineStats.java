/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.context.ContextStats;
import java.time.Duration;
import java.util.Objects;

/**
 * A snapshot of the operations of all contexts of an engine, including closed contexts; see {@link ProgressEngine#stats()} and
 * {@link ProgressLoop#stats()}. {@link ContextStats} describes what is counted and how exact a snapshot is.
 *
 * @param queued the number of calls and submissions in the queue of a loop, and of operations that wait for a free task; 0 for an
 *     engine without a loop
 * @param inFlight the number of submitted tasks whose completions have not been delivered yet
 * @param completed the number of operations that have succeeded
 * @param failed the number of operations that have failed after their submission
 * @param bytes the number of bytes that completed operations have moved
 * @param oldestInFlight how long ago the oldest operation in flight was submitted; zero if none is
 * @param wakeUps the number of times that the engine's thread has slept in the kernel and was woken
 */
public record EngineStats(
        long queued, long inFlight, long completed, long failed, long bytes, Duration oldestInFlight, long wakeUps) {

    /** Checks the components. */
    public EngineStats {
        Objects.requireNonNull(oldestInFlight, "oldestInFlight");
    }
}
