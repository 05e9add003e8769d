/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.memory.BufferUses;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task that is prepared once and submitted many times, as the work of a graph's node. For a run of the graph it is lent:
 * it is in flight from {@link #lend} to {@link #giveBack}, its own handlers are not told, and the graph submits it.
 */
public interface NodeTask {

    /** The context whose nodes it can be the work of. */
    ContextCore context();

    /**
     * Checks the task and prepares the native one. Buffers are as they will be when its turn comes, which is after that of
     * all tasks lent before that it depends on. When this throws, the task is not lent.
     *
     * @param uses where it notes the buffers that it uses
     * @param abandoned is told when nobody will learn how the task ends
     * @throws IllegalArgumentException if the arguments of the task are not right
     * @throws IllegalStateException if it is closed or in flight, its context is not running, or a buffer cannot be used
     */
    void lend(BufferUses uses, Consumer<? super TaskFailedException> abandoned);

    /** The {@code struct doca_task *} of a lent task. */
    long nativeTask();

    /** A lent task has succeeded: its target has grown. It stays lent. */
    void succeeded();

    /** Why a lent task failed, of which the SDK says this status. It stays lent. */
    TaskFailedException failure(int status);

    /**
     * The run is over, and the buffers are released.
     *
     * @param result how it ended for this task
     * @param failure for {@link Result#FAILED}
     */
    void giveBack(Result result, @Nullable TaskFailedException failure);

    /** How a run ended for a task. */
    enum Result {
        /** It succeeded. */
        SUCCEEDED,
        /** It failed, and the run with it. */
        FAILED,
        /** The run failed, and it is not known whether the task was submitted at all. */
        UNKNOWN,
        /** The run did not begin. */
        NOT_BEGUN
    }
}
