/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A command in the queue of a loop. It is also the future of its result, and the node of the queue that holds it. */
abstract class LoopCommand<T> extends LoopFuture<T> implements LoopNode {

    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(LoopCommand.class, "next", LoopNode.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The next command in the queue. */
    private volatile @Nullable LoopNode next;

    LoopCommand(Thread loopThread) {
        super(loopThread);
    }

    /** Does the work. Called at most once. */
    abstract void execute() throws Exception;

    @Override
    public final void run() {
        if (isDone()) {
            return;
        }
        try {
            execute();
        } catch (Throwable thrown) {
            fail(this, thrown);
        }
    }

    @Override
    public final void link(LoopNode following) {
        next = following;
    }

    @Override
    public final @Nullable LoopNode linked() {
        return next;
    }

    @Override
    public final void unlink() {
        NEXT.setRelease(this, null);
    }
}
