/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.util.ArrayList;
import java.util.List;

/** Captures what the calling thread's handler of uncaught exceptions gets, until it is closed. */
public final class UncaughtExceptions implements AutoCloseable {

    private final List<Throwable> exceptions = new ArrayList<>();
    private final Thread thread = Thread.currentThread();
    private final Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();

    public UncaughtExceptions() {
        thread.setUncaughtExceptionHandler((current, exception) -> exceptions.add(exception));
    }

    /** Returns all exceptions so far. */
    public List<Throwable> list() {
        return List.copyOf(exceptions);
    }

    @Override
    public void close() {
        thread.setUncaughtExceptionHandler(before);
    }
}
