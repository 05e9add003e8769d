/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import org.jspecify.annotations.Nullable;

/** A thread that closes the objects that were created on it before it ends. */
public interface OwningThread {

    /** Adds an object, which this thread closes at its end. Called by this thread. */
    void own(AutoCloseable object);

    /** Removes an object that is closed. Any thread may call. */
    void release(AutoCloseable object);

    /** Returns the stack of the caller that started the thread, or null if openings were not traced then. */
    @Nullable
    Throwable started();
}
