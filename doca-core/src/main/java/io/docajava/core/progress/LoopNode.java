/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import org.jspecify.annotations.Nullable;

/** An entry of the queue of a loop: work for its thread, and the future of its result. */
interface LoopNode {

    /** Does the work, unless the future is done. A failure fails the future, not the loop. */
    void run();

    boolean isDone();

    /** Fails the future, unless it is done. */
    boolean completeExceptionally(Throwable reason);

    /**
     * Links the entry that follows this one. Earlier writes of the caller are visible to the thread that reads the link.
     *
     * <p>This is a volatile write, not only a release: the caller then reads whether the loop is idle, and the loop sets that it
     * is idle before it reads the link. If the read could be reordered before the write, both threads could miss each other's
     * write, and the loop would sleep with work in its queue.
     */
    void link(LoopNode following);

    @Nullable
    LoopNode linked();

    /** Clears the link, so that it does not keep the following entries reachable. */
    void unlink();
}
