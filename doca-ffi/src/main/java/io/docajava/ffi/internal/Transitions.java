/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the calls from Java into native code, for tests. Enabled by the system property {@code doca.transitions=count} at the
 * start; otherwise it has no cost.
 */
public final class Transitions {

    private static final boolean COUNTED = "count".equals(System.getProperty("doca.transitions"));

    private static final AtomicLong COUNT = new AtomicLong();

    private Transitions() {}

    /** Returns the number of calls so far. */
    public static long count() {
        return COUNT.get();
    }

    /** Returns the handle itself, or a handle that counts its calls. */
    static MethodHandle counted(MethodHandle handle) {
        if (!COUNTED) {
            return handle;
        }
        try {
            MethodHandle add =
                    MethodHandles.lookup().findStatic(Transitions.class, "add", MethodType.methodType(void.class));
            return MethodHandles.foldArguments(handle, add);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("A method of this class is missing", e);
        }
    }

    @SuppressWarnings("UnusedMethod") // called by its handle
    private static void add() {
        COUNT.incrementAndGet();
    }
}
