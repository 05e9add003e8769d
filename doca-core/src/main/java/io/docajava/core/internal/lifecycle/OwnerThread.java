/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

/** The one thread that may use an object: the one that made it. */
@SuppressWarnings("ReferenceEquality") // a thread is equal to itself only, and this runs once per operation
public final class OwnerThread {

    private final Thread thread = Thread.currentThread();

    /** Belongs to the current thread. */
    public OwnerThread() {}

    /** The owner. */
    public Thread thread() {
        return thread;
    }

    /** Whether the current thread is the owner. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /**
     * Refuses other threads.
     *
     * @param object what is used, as the error names it
     * @throws IllegalStateException if another thread calls
     */
    public void check(Object object) {
        if (Thread.currentThread() != thread) {
            throw wrongThread(object);
        }
    }

    /**
     * Refuses other threads while the owner lives. What an ended thread has left can be cleaned up by any.
     *
     * @param object what is closed, as the error names it
     * @throws IllegalStateException if another thread calls
     */
    public void checkUnlessEnded(Object object) {
        if (thread.isAlive()) {
            check(object);
        }
    }

    private IllegalStateException wrongThread(Object object) {
        return new IllegalStateException(
                object + " belongs to " + name(thread) + " and was called by " + name(Thread.currentThread()));
    }

    /** How messages name a thread; virtual threads mostly have no name and are told by their number. */
    public static String name(Thread thread) {
        return thread.getName().isEmpty() ? "thread #" + thread.threadId() : "thread \"" + thread.getName() + "\"";
    }
}
