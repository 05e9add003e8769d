/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import java.lang.invoke.MethodHandle;

/** Functions of tasks and contexts. Pointers are addresses; nothing is checked here. */
public final class TaskCalls {

    static final HotFunctions FUNCTIONS = new HotFunctions("common");

    private static final MethodHandle TASK_SUBMIT = FUNCTIONS.bind("doca_task_submit", JAVA_INT, JAVA_LONG);
    private static final MethodHandle TASK_SUBMIT_EX =
            FUNCTIONS.bind("doca_task_submit_ex", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CTX_FLUSH_TASKS = FUNCTIONS.bindVoid("doca_ctx_flush_tasks", JAVA_LONG);
    private static final MethodHandle TASK_FREE = FUNCTIONS.bindVoid("doca_task_free", JAVA_LONG);
    private static final MethodHandle TASK_GET_STATUS = FUNCTIONS.bind("doca_task_get_status", JAVA_INT, JAVA_LONG);
    private static final MethodHandle CTX_GET_STATE =
            FUNCTIONS.bind("doca_ctx_get_state", JAVA_INT, JAVA_LONG, JAVA_LONG);

    private TaskCalls() {}

    /** {@code doca_task_submit}: submits a task without any check by the SDK; the result is a {@code doca_error_t}. */
    public static int submit(long task) {
        try {
            return (int) TASK_SUBMIT.invokeExact(task);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * {@code doca_task_submit_ex}: the same with flags of {@code enum doca_task_submit_flag}. A plain submission sets the
     * flush flag.
     */
    public static int submit(long task, int flags) {
        try {
            return (int) TASK_SUBMIT_EX.invokeExact(task, flags);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_ctx_flush_tasks}: rings the doorbell for tasks submitted without a flush. Not for an idle context. */
    public static void flush(long context) {
        try {
            CTX_FLUSH_TASKS.invokeExact(context);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_free}: returns a task to its context. */
    public static void free(long task) {
        try {
            TASK_FREE.invokeExact(task);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_get_status}: the result of a completed task, a {@code doca_error_t}. */
    public static int status(long task) {
        try {
            return (int) TASK_GET_STATUS.invokeExact(task);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_ctx_get_state}: writes the state of a context, an {@code int}. */
    public static int contextState(long context, long stateOut) {
        try {
            return (int) CTX_GET_STATE.invokeExact(context, stateOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
