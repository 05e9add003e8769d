/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import java.lang.invoke.MethodHandle;

/** Calls on tasks, contexts and the progress engine. Pointers are addresses; nothing is checked here. */
public final class TaskCalls {

    static final HotFunctions FUNCTIONS = new HotFunctions("common");

    private static final MethodHandle PE_PROGRESS = FUNCTIONS.bind("doca_pe_progress", JAVA_BYTE, JAVA_LONG);
    private static final MethodHandle TASK_SUBMIT = FUNCTIONS.bind("doca_task_submit", JAVA_INT, JAVA_LONG);
    private static final MethodHandle TASK_TRY_SUBMIT = FUNCTIONS.bind("doca_task_try_submit", JAVA_INT, JAVA_LONG);
    private static final MethodHandle TASK_SUBMIT_EX =
            FUNCTIONS.bind("doca_task_submit_ex", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle TASK_FREE = FUNCTIONS.bindVoid("doca_task_free", JAVA_LONG);
    private static final MethodHandle TASK_GET_STATUS = FUNCTIONS.bind("doca_task_get_status", JAVA_INT, JAVA_LONG);
    private static final MethodHandle TASK_SET_USER_DATA =
            FUNCTIONS.bindVoid("doca_task_set_user_data", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CTX_GET_STATE =
            FUNCTIONS.bind("doca_ctx_get_state", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CTX_GET_NUM_INFLIGHT_TASKS =
            FUNCTIONS.bind("doca_ctx_get_num_inflight_tasks", JAVA_INT, JAVA_LONG, JAVA_LONG);

    private TaskCalls() {}

    /** {@code doca_pe_progress}: runs at most one completion or event; 1 if there was one, else 0. Callbacks run inside of it. */
    public static byte progress(long engine) {
        try {
            return (byte) PE_PROGRESS.invokeExact(engine);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_submit}: submits a task without any check by the SDK; the result is a {@code doca_error_t}. */
    public static int submit(long task) {
        try {
            return (int) TASK_SUBMIT.invokeExact(task);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_try_submit}: submits a task after checks by the SDK; the result is a {@code doca_error_t}. */
    public static int trySubmit(long task) {
        try {
            return (int) TASK_TRY_SUBMIT.invokeExact(task);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_submit_ex}: submits a task with flags, from DOCA 2.9 on; the result is a {@code doca_error_t}. */
    public static int submitEx(long task, int flags) {
        try {
            return (int) TASK_SUBMIT_EX.invokeExact(task, flags);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_free}: gives a task back to its context. */
    public static void free(long task) {
        try {
            TASK_FREE.invokeExact(task);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_get_status}: how a completed task ended, a {@code doca_error_t}. */
    public static int status(long task) {
        try {
            return (int) TASK_GET_STATUS.invokeExact(task);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_task_set_user_data}: sets the value that the completion of this task will carry. */
    public static void setUserData(long task, long userData) {
        try {
            TASK_SET_USER_DATA.invokeExact(task, userData);
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

    /** {@code doca_ctx_get_num_inflight_tasks}: writes how many tasks are submitted and not completed, a {@code long}. */
    public static int inflightTasks(long context, long countOut) {
        try {
            return (int) CTX_GET_NUM_INFLIGHT_TASKS.invokeExact(context, countOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
