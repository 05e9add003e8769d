/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import io.docajava.ffi.internal.StackGuard;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The life of one native object. Its owner asks here whether it may still be used, and closes it with {@link
 * #close(Runnable)} or, where that takes longer than a call, in three steps: {@link #beginClose()}, what has to be done,
 * {@link #endClose()}. An object that others depend on cannot be closed before them.
 *
 * <p>Safe for use by many threads.
 */
public final class Resource {

    /** States of an object's life. */
    public enum State {
        /** In use. */
        OPEN,
        /** Being closed: no use, not yet gone. */
        CLOSING,
        /** Gone. */
        CLOSED
    }

    private static final Set<Resource> OPEN = ConcurrentHashMap.newKeySet();

    private final WeakReference<Object> owner;
    private final String description;
    private final List<Resource> parents;
    private final Set<Resource> children = new LinkedHashSet<>();
    private final LeakReport leakReport;
    private volatile State state = State.OPEN;

    private Resource(Object owner, String description, List<Resource> parents, LeakReport leakReport) {
        this.owner = new WeakReference<>(owner);
        this.description = description;
        this.parents = parents;
        this.leakReport = leakReport;
    }

    /**
     * Opens the life of an object.
     *
     * @param owner the Java object that stands for it, watched for leaks
     * @param description what it is, as errors name it: {@code Mmap of 4096 bytes}
     * @param parents what must not be closed before it
     * @throws IllegalStateException if a parent is closed
     */
    public static Resource open(Object owner, String description, Resource... parents) {
        Resource resource = new Resource(owner, description, List.of(parents), LeakReport.watch(owner, description));
        List<Resource> adopted = new ArrayList<>(parents.length);
        try {
            for (Resource parent : parents) {
                parent.adopt(resource);
                adopted.add(parent);
            }
        } catch (IllegalStateException e) {
            adopted.forEach(parent -> parent.abandon(resource));
            resource.leakReport.closed();
            throw e;
        }
        OPEN.add(resource);
        return resource;
    }

    /** All objects of this process that have been opened and not closed, for tests that must leave none. */
    public static Set<Resource> allOpen() {
        return Set.copyOf(OPEN);
    }

    /** From now on, objects know where they were opened, as with {@code -Ddoca.leak=trace}. For tests. */
    public static void traceOpenings() {
        LeakReport.traceOpenings();
    }

    /** Returns the stack of the caller where openings are traced, or null. */
    public static @Nullable Throwable trace(String message) {
        return LeakReport.trace(message);
    }

    /** Returns the stack of the caller that opened the object, or null if openings were not traced then. */
    public @Nullable Throwable opened() {
        return leakReport.opened();
    }

    /** Returns the Java object that stands for it, or null if that is unreachable. */
    public @Nullable Object owner() {
        return owner.get();
    }

    /** Returns a description of the object for error messages. */
    public String description() {
        return description;
    }

    /** Returns the object's state. */
    public State state() {
        return state;
    }

    /**
     * Refuses the use of an object that is not open.
     *
     * @throws IllegalStateException if it is closed or being closed
     */
    public void checkOpen() {
        if (state != State.OPEN) {
            throw notOpen();
        }
    }

    /**
     * Closes the object, unless it is closed already. If the destruction throws, it stays open.
     *
     * @param destroy destroys the native object
     * @throws IllegalStateException if other objects depend on it
     */
    public void close(Runnable destroy) {
        if (state() == State.CLOSED) {
            return;
        }
        StackGuard.checkToClose();
        if (!beginClose()) {
            return;
        }
        try {
            destroy.run();
        } catch (Throwable failure) {
            cancelClose();
            throw failure;
        }
        endClose();
    }

    /**
     * Runs something during which nobody can close the object.
     *
     * @param use what is done, as the error of who tries to close names it: {@code a DMA context being created}
     * @throws IllegalStateException if it is closed
     */
    public <T> T keepOpen(String use, Supplier<T> work) {
        StackGuard.check();
        Resource user = open(work, use, this);
        try {
            return work.get();
        } finally {
            user.discard();
        }
    }

    /** Ends the life of an object that nothing depends on and that was never natively made. */
    public void discard() {
        beginClose();
        endClose();
    }

    /**
     * Begins to close the object.
     *
     * @return false if that has been done before, so that there is nothing to do
     * @throws IllegalStateException if other objects depend on it
     */
    public synchronized boolean beginClose() {
        if (state != State.OPEN) {
            return false;
        }
        if (!children.isEmpty()) {
            throw new IllegalStateException(children.stream()
                    .map(Resource::description)
                    .collect(Collectors.joining(", ", description + " cannot be closed while in use by: ", "")));
        }
        state = State.CLOSING;
        leakReport.setClosing(true);
        return true;
    }

    /** Ends the life of the object after it was natively destroyed. */
    public void endClose() {
        synchronized (this) {
            state = State.CLOSED;
        }
        leakReport.closed();
        parents.forEach(parent -> parent.abandon(this));
        OPEN.remove(this);
    }

    /** Takes {@link #beginClose()} back: the object could not be destroyed and lives on. */
    public synchronized void cancelClose() {
        if (state == State.CLOSING) {
            state = State.OPEN;
            leakReport.setClosing(false);
        }
    }

    private synchronized void adopt(Resource child) {
        checkOpen();
        children.add(child);
    }

    private synchronized void abandon(Resource child) {
        children.remove(child);
    }

    private IllegalStateException notOpen() {
        return new IllegalStateException(description + (state == State.CLOSED ? " is closed" : " is being closed"));
    }

    @Override
    public String toString() {
        return description;
    }
}
