/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.internal.Downcalls;
import java.lang.invoke.MethodHandle;

/** Calls on DMA tasks. Pointers are addresses; nothing is checked here. */
public final class DmaCalls {

    static final HotFunctions FUNCTIONS = new HotFunctions("dma");

    private static final MethodHandle ALLOC_INIT = FUNCTIONS.bind(
            "doca_dma_task_memcpy_alloc_init", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle AS_TASK = FUNCTIONS.bind("doca_dma_task_memcpy_as_task", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SET_SRC =
            FUNCTIONS.bindVoid("doca_dma_task_memcpy_set_src", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SET_DST =
            FUNCTIONS.bindVoid("doca_dma_task_memcpy_set_dst", JAVA_LONG, JAVA_LONG);

    private DmaCalls() {}

    /** {@code doca_dma_task_memcpy_alloc_init}: allocates a copy task and writes its pointer. */
    public static int allocate(long dma, long source, long target, long userData, long taskOut) {
        try {
            return (int) ALLOC_INIT.invokeExact(dma, source, target, userData, taskOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_dma_task_memcpy_as_task}: the general task behind a copy task. */
    public static long asTask(long copy) {
        try {
            return (long) AS_TASK.invokeExact(copy);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_dma_task_memcpy_set_src}: sets the source of the next submission. */
    public static void setSource(long copy, long source) {
        try {
            SET_SRC.invokeExact(copy, source);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_dma_task_memcpy_set_dst}: sets the target of the next submission. */
    public static void setTarget(long copy, long target) {
        try {
            SET_DST.invokeExact(copy, target);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
