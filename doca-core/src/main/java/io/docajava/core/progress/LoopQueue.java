/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The work that other threads hand to a loop, until it takes no more. */
final class LoopQueue {

    private final ArrayDeque<LoopCommand> work = new ArrayDeque<>();
    private boolean closed;

    /** Adds work; false when the queue is closed. */
    synchronized boolean offer(LoopCommand item) {
        return !closed && work.add(item);
    }

    /** Takes the oldest work; null when there is none. */
    synchronized @Nullable LoopCommand poll() {
        return work.poll();
    }

    synchronized int size() {
        return work.size();
    }

    /** Takes no more work from now on; what is there stays. */
    synchronized void close() {
        closed = true;
    }

    synchronized boolean isClosed() {
        return closed;
    }
}
