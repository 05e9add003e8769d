/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the calls from Java into native code, for tests of how many there are. Only with the system property
 * {@code doca.transitions=count} from the start; else nothing is counted, and nothing is there that costs time.
 */
public final class Transitions {

    private static final boolean COUNTED = "count".equals(System.getProperty("doca.transitions"));

    private static final AtomicLong COUNT = new AtomicLong();

    private Transitions() {}

    /** Returns the number of calls so far. */
    public static long count() {
        return COUNT.get();
    }

    /** The handle itself, or one that counts its calls. */
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
