/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that one thread changes and any thread reads. A change is a plain read and an opaque write, and costs less than an
 * atomic addition: readers see each value whole, and some value of some moment.
 */
final class Counter {

    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** Adds to the number. Called by the thread that owns it. */
    void add(long more) {
        set(value + more);
    }

    /** Changes the number. Called by the thread that owns it. */
    void set(long newValue) {
        VALUE.setOpaque(this, newValue);
    }

    /** Returns the number. Any thread may call. */
    long get() {
        return (long) VALUE.getOpaque(this);
    }
}
