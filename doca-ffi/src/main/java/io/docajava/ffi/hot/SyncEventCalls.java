/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.hot;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.NativeLoading;
import io.docajava.ffi.internal.NativeSymbols;
import java.lang.invoke.MethodHandle;

/** Functions of sync events that are called for each operation. Pointers are addresses; nothing is checked here. */
public final class SyncEventCalls {

    static final HotFunctions FUNCTIONS = new HotFunctions("common");

    private static final MethodHandle GET = FUNCTIONS.bind("doca_sync_event_get", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle UPDATE_SET =
            FUNCTIONS.bind("doca_sync_event_update_set", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle UPDATE_ADD =
            FUNCTIONS.bind("doca_sync_event_update_add", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private SyncEventCalls() {}

    /** {@code doca_sync_event_get}: writes the value, a {@code long}. */
    public static int get(long event, long valueOut) {
        try {
            return (int) GET.invokeExact(event, valueOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_sync_event_update_set}: sets the value. */
    public static int set(long event, long value) {
        try {
            return (int) UPDATE_SET.invokeExact(event, value);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code doca_sync_event_update_add}: adds to the value and writes the previous value, a {@code long}. */
    public static int add(long event, long addend, long fetchedOut) {
        try {
            return (int) UPDATE_ADD.invokeExact(event, addend, fetchedOut);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /**
     * Returns the address of a function that sets a number of a task for its next submission.
     *
     * @param function its C name, such as {@code doca_sync_event_task_notify_set_set_set_val}
     * @throws DocaFunctionException if the loaded SDK lacks it
     */
    public static long setter(String function) {
        NativeLoading.sdk().require(function);
        return NativeSymbols.of("common").address(function).address();
    }
}
