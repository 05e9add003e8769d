/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.invoke.MethodHandle;

/** Functions of DMA tasks. Pointers are addresses; nothing is checked here. */
public final class DmaCalls {

    static final HotFunctions FUNCTIONS = new HotFunctions("dma");

    private static final MethodHandle ALLOC_INIT = FUNCTIONS.bind(
            "doca_dma_task_memcpy_alloc_init", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle AS_TASK = FUNCTIONS.bind("doca_dma_task_memcpy_as_task", JAVA_LONG, JAVA_LONG);

    private DmaCalls() {}

    /** {@code doca_dma_task_memcpy_alloc_init}: allocates a copy task and writes its pointer. */
    public static int allocate(long dma, long source, long target, long userData, long taskOut) {
        try {
            return (int) ALLOC_INIT.invokeExact(dma, source, target, userData, taskOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_dma_task_memcpy_as_task}: returns the general task of a copy task. */
    public static long asTask(long copy) {
        try {
            return (long) AS_TASK.invokeExact(copy);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * Returns the address of {@code doca_dma_task_memcpy_set_src}, which sets the source of the next submission.
     *
     * @throws DocaFunctionException if the loaded SDK lacks it
     */
    public static long sourceSetter() {
        return setter("doca_dma_task_memcpy_set_src");
    }

    /**
     * Returns the address of {@code doca_dma_task_memcpy_set_dst}, which sets the destination of the next submission.
     *
     * @throws DocaFunctionException if the loaded SDK lacks it
     */
    public static long targetSetter() {
        return setter("doca_dma_task_memcpy_set_dst");
    }

    private static long setter(String function) {
        NativeLoading.sdk().require(function);
        return NativeSymbols.of("dma").address(function).address();
    }
}
