/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A command in the queue of a loop. It is also the future of its result, and the node of the queue that holds it. */
abstract class LoopCommand<T> extends LoopFuture<T> {

    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(LoopCommand.class, "next", LoopCommand.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The next command in the queue. */
    private volatile @Nullable LoopCommand<?> next;

    LoopCommand(Thread loopThread) {
        super(loopThread);
    }

    /** Does the work. Called at most once. */
    abstract void execute() throws Exception;

    /** Does the work, unless the future is done. An exception fails the future, not the loop. */
    final void run() {
        if (isDone()) {
            return;
        }
        try {
            execute();
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    /**
     * Links the command that follows this one. Earlier writes of the caller are visible to the thread that reads the link.
     *
     * <p>This is a volatile write, not only a release: the caller then reads whether the loop is idle, and the loop sets that it
     * is idle before it reads the link. If the read could be reordered before the write, both threads could miss each other's
     * write, and the loop would sleep with work in its queue.
     */
    final void link(LoopCommand<?> following) {
        next = following;
    }

    final @Nullable LoopCommand<?> linked() {
        return next;
    }

    /** Clears the link, so that it does not keep the following commands reachable. */
    final void unlink() {
        NEXT.setRelease(this, null);
    }
}
