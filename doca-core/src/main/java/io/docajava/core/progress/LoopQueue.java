/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the commands that other threads submit to a loop, in order. Handing over takes one atomic exchange, whatever the
 * others do, and no object beside the command: the commands are the links.
 */
final class LoopQueue {

    private final AtomicReference<LoopCommand<?>> newest;
    /** The one that was taken last; the loop's thread alone knows it. */
    private LoopCommand<?> taken;

    LoopQueue(Thread loopThread) {
        taken = new LoopCommand<>(loopThread) {
            @Override
            void execute() {}
        };
        newest = new AtomicReference<>(taken);
    }

    /** Adds work. Any thread may call. */
    void offer(LoopCommand<?> command) {
        newest.getAndSet(command).link(command);
    }

    /** Takes the oldest work; null when there is none, or it is just being added. Called by the loop's thread. */
    @Nullable
    LoopCommand<?> poll() {
        LoopCommand<?> last = taken;
        LoopCommand<?> oldest = last.linked();
        if (oldest != null) {
            last.unlink();
            taken = oldest;
        }
        return oldest;
    }

    /** Returns whether nothing is there or being added. Called by the loop's thread. */
    @SuppressWarnings("ReferenceEquality") // a link is equal to itself only
    boolean isEmpty() {
        return newest.get() == taken;
    }
}
