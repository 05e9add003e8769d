/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** One piece of work for a loop. It is also the future of its result, and its own link in the queue. */
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

    /** Does the work. Called once at most. */
    abstract void execute() throws Exception;

    /** Does the work, unless its future is done; any exception fails the future, and not the loop. */
    final void run() {
        if (isDone()) {
            return;
        }
        try {
            execute();
        } catch (Throwable thrown) {
            completeExceptionally(thrown);
        }
    }

    /**
     * Links the command that comes after this one. All that the caller has done before is visible to the thread that finds
     * the link.
     *
     * <p>This is a volatile write, not only a release: after it the caller reads whether the loop is idle, and the loop
     * says that it is idle before it reads the link. If the read could overtake the write, both could miss each
     * other, and the loop would sleep with work in its queue.
     */
    final void link(LoopCommand<?> following) {
        next = following;
    }

    final @Nullable LoopCommand<?> linked() {
        return next;
    }

    /** Clears the link, which must not keep the following commands reachable. */
    final void unlink() {
        NEXT.setRelease(this, null);
    }
}
