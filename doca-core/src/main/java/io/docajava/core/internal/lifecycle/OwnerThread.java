/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

/**
 * The only thread that may use an object: the thread that created it. After that thread has ended, the object belongs to the
 * first thread that uses it, so that it can be closed. All writes of the ended thread are visible to that thread.
 */
@SuppressWarnings("ReferenceEquality") // a thread is equal to itself only, and this runs once per operation
public final class OwnerThread {

    /** The end of the message if the owner is the thread of a loop. */
    private static final String WAY_OUT =
            ". Call it there, by call() or execute() of that ProgressLoop, or use the form of"
                    + " an operation with a future, which any thread may call";

    private volatile Thread thread = Thread.currentThread();

    /** Creates an owner that is the current thread. */
    public OwnerThread() {}

    public Thread thread() {
        return thread;
    }

    /** Returns whether the current thread is the owner. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /**
     * Refuses other threads while the owner is alive. After that, the current thread becomes the owner.
     *
     * @param object the used object, which the message names
     * @throws IllegalStateException if another thread calls
     */
    public void check(Object object) {
        check(object, "");
    }

    /**
     * Does the same as {@link #check(Object)}.
     *
     * @param wayOut the end of the message if the owner is not the thread of a loop: what other threads can do instead
     */
    public void check(Object object, String wayOut) {
        if (Thread.currentThread() != thread) {
            takeOver(object, wayOut);
        }
    }

    private synchronized void takeOver(Object object, String wayOut) {
        if (thread.isAlive()) {
            throw new IllegalStateException(object + " belongs to " + name(thread) + " and was called by "
                    + name(Thread.currentThread()) + (thread instanceof OwningThread ? WAY_OUT : wayOut));
        }
        thread = Thread.currentThread();
    }

    /** Returns the present stack of a thread, as the cause of an exception or for the log. */
    public static Throwable stackOf(Thread thread) {
        Throwable stack = new Throwable("Stack of " + name(thread));
        stack.setStackTrace(thread.getStackTrace());
        return stack;
    }

    /** Returns the name of a thread for messages; virtual threads without a name are identified by number. */
    public static String name(Thread thread) {
        return thread.getName().isEmpty() ? "thread #" + thread.threadId() : "thread \"" + thread.getName() + "\"";
    }
}
