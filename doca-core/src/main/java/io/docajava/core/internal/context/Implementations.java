/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextBuilder;
import io.docajava.core.context.ContextListener;
import io.docajava.core.context.PreparedTask;
import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import java.time.Duration;

/**
 * Finds the implementations of contexts, builders and prepared tasks. The methods of these public interfaces are default methods,
 * which call this class: a method that only a class of an internal package declared could not be called by reflection.
 */
public final class Implementations {

    private Implementations() {}

    /** Returns the core of a context. */
    public static ContextCore core(Context context) {
        return base(context).core();
    }

    /** Returns the device of a context. */
    public static Device device(Context context) {
        return base(context).device;
    }

    /** Returns the engine of a context. */
    public static ProgressEngine engine(Context context) {
        return base(context).engine;
    }

    /** Sets the close timeout of a context that is being built. */
    public static void setCloseTimeout(ContextBuilder<?> builder, Duration timeout) {
        base(builder).setCloseTimeout(timeout);
    }

    /** Adds a listener to a context that is being built. */
    public static void addListener(ContextBuilder<?> builder, ContextListener listener) {
        base(builder).addListener(listener);
    }

    /** Returns the prepared operation of a task. */
    @SuppressWarnings("unchecked") // a task has itself as T
    public static <T extends PreparedTask<T>> PreparedOperation<T> prepared(PreparedTask<T> task) {
        if (task instanceof TaskBase<?> ours) {
            return (PreparedOperation<T>) ours.prepared();
        }
        throw foreign(task);
    }

    private static ContextBase base(Context context) {
        if (context instanceof ContextBase ours) {
            return ours;
        }
        throw foreign(context);
    }

    private static ContextBuilderBase<?> base(ContextBuilder<?> builder) {
        if (builder instanceof ContextBuilderBase<?> ours) {
            return ours;
        }
        throw foreign(builder);
    }

    private static IllegalArgumentException foreign(Object object) {
        return new IllegalArgumentException(
                "doca-java does not implement " + object.getClass().getName() + ", which must override this method");
    }
}
