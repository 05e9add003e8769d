/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

/**
 * The one thread that may use an object: the one that made it. The objects of a thread that has ended go to the first one
 * that uses it afterwards, which sees all that the ended one did; or else nobody could close it.
 */
@SuppressWarnings("ReferenceEquality") // a thread is equal to itself only, and this runs once per operation
public final class OwnerThread {

    private volatile Thread thread = Thread.currentThread();

    /** Belongs to the current thread. */
    public OwnerThread() {}

    /** The owner. */
    public Thread thread() {
        return thread;
    }

    /** Returns whether the current thread is the owner. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /**
     * Refuses other threads while the owner lives. After that the current thread is the owner.
     *
     * @param object what is used, as the error names it
     * @throws IllegalStateException if another thread calls
     */
    public void check(Object object) {
        if (Thread.currentThread() != thread) {
            takeOver(object);
        }
    }

    private synchronized void takeOver(Object object) {
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    object + " belongs to " + name(thread) + " and was called by " + name(Thread.currentThread()));
        }
        thread = Thread.currentThread();
    }

    /** Returns the name of a thread for messages; virtual threads without a name are identified by number. */
    public static String name(Thread thread) {
        return thread.getName().isEmpty() ? "thread #" + thread.threadId() : "thread \"" + thread.getName() + "\"";
    }
}
