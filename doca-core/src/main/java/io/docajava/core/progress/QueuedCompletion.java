/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.internal.engine.EngineLoop.OperationStart;
import io.docajava.core.internal.engine.LoopRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The future of an operation that another thread has queued for a loop. It is also the entry of the queue, with the operands. */
final class QueuedCompletion<T> extends Completion<T> implements LoopNode {

    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(QueuedCompletion.class, "next", LoopNode.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LoopThread loop;
    private final LoopRoom room;
    private volatile @Nullable LoopNode next;
    /** Null after the operation was started. */
    private @Nullable OperationStart<T> start;

    private @Nullable Object first;
    private @Nullable Object second;

    QueuedCompletion(LoopThread loop, LoopRoom room, OperationStart<T> start, Object first, Object second) {
        super(loop.engine());
        this.loop = loop;
        this.room = room;
        this.start = start;
        this.first = first;
        this.second = second;
    }

    /** Returns the room in which it has a place. */
    LoopRoom room() {
        return room;
    }

    @Override
    public void run() {
        OperationStart<T> starting = start;
        Object one = first;
        Object other = second;
        start = null;
        first = null;
        second = null;
        if (isDone() || starting == null || one == null || other == null) {
            return;
        }
        loop.operationStarted(this);
        try {
            starting.start(one, other, this);
        } catch (Throwable thrown) {
            LoopFuture.fail(this, thrown);
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        LoopFuture.yieldUntilDone(this, loop);
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (unit.toNanos(timeout) > LoopFuture.YIELD_NANOS) {
            LoopFuture.yieldUntilDone(this, loop);
        }
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        LoopFuture.yieldUntilDone(this, loop);
        return super.join();
    }

    @Override
    public void link(LoopNode following) {
        next = following;
    }

    @Override
    public @Nullable LoopNode linked() {
        return next;
    }

    @Override
    public void unlink() {
        NEXT.setRelease(this, null);
    }
}
