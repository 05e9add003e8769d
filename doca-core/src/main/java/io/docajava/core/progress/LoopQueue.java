/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the commands that other threads submit to a loop, in order. Adding a command takes one atomic exchange, without
 * retries, and allocates nothing, since the commands are the nodes.
 */
final class LoopQueue {

    private final AtomicReference<LoopNode> newest;
    /** The command that was removed last; used by the loop's thread only. */
    private LoopNode taken;

    LoopQueue(Thread loopThread) {
        taken = new LoopCommand<>(loopThread) {
            @Override
            void execute() {}
        };
        newest = new AtomicReference<>(taken);
    }

    /** Adds a command. Any thread may call. */
    void offer(LoopNode command) {
        newest.getAndSet(command).link(command);
    }

    /** Removes the oldest command; returns null if there is none, or if it is just being added. Called by the loop's thread. */
    @Nullable
    LoopNode poll() {
        LoopNode last = taken;
        LoopNode oldest = last.linked();
        if (oldest != null) {
            last.unlink();
            taken = oldest;
        }
        return oldest;
    }

    /** Returns whether no command is queued or being added. Called by the loop's thread. */
    @SuppressWarnings("ReferenceEquality") // a link is equal to itself only
    boolean isEmpty() {
        return newest.get() == taken;
    }
}
