/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import io.docajava.ffi.internal.StackGuard;
import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lifecycle of a native object. Its owner checks here whether it may be used, and closes it with {@link #close(Runnable)}. If
 * closing takes longer than one call, the owner calls {@link #beginClose()}, destroys the object, and calls {@link #endClose()}.
 * An object cannot be closed before the objects that depend on it.
 *
 * <p>Safe for use by many threads.
 */
public final class Resource {

    public enum State {
        /** In use. */
        OPEN,
        /** Being closed, and refuses use. */
        CLOSING,
        /** Closed. */
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
     * Begins the lifecycle of an object.
     *
     * @param owner the Java object that represents it, watched for leaks
     * @param description names the object in messages: {@code Mmap of 4096 bytes}
     * @param parents the objects that cannot be closed before it
     * @throws IllegalStateException if a parent is closed
     */
    public static Resource open(Object owner, String description, Resource... parents) {
        Resource resource = new Resource(owner, description, List.of(parents), LeakReport.watch(owner, description));
        try {
            for (Resource parent : parents) {
                parent.adopt(resource);
            }
            OPEN.add(resource);
            return resource;
        } catch (Throwable failure) {
            resource.forget();
            throw failure;
        }
    }

    /** Returns all open objects of this process, for tests that check for leaks. */
    public static Set<Resource> allOpen() {
        return Set.copyOf(OPEN);
    }

    /** Returns the stack of the caller that opened the object, or null if openings were not traced then. */
    public @Nullable Throwable opened() {
        return leakReport.opened();
    }

    /** Returns the Java object that represents it, or null if that is unreachable. */
    public @Nullable Object owner() {
        return owner.get();
    }

    public String description() {
        return description;
    }

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
            throw new IllegalStateException(description + (state == State.CLOSED ? " is closed" : " is being closed"));
        }
    }

    /**
     * Closes the object, unless it is closed already. If {@code destroy} throws, the object stays open.
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
     * Does work during which the object cannot be closed.
     *
     * @param use names the work in the message of an attempt to close: {@code a DMA context being created}
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

    /** Ends the lifecycle of an object that was never created natively, and that no other object depends on. */
    public void discard() {
        beginClose();
        endClose();
    }

    /**
     * Begins to close the object.
     *
     * @return false if the object is closed or being closed already
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

    /** Ends the lifecycle after the native object was destroyed. */
    public void endClose() {
        synchronized (this) {
            state = State.CLOSED;
        }
        forget();
    }

    /** Removes the object from the parents and from the open objects. This allocates nothing, as memory may be short. */
    private void forget() {
        leakReport.closed();
        for (int i = 0; i < parents.size(); i++) {
            parents.get(i).abandon(this);
        }
        OPEN.remove(this);
    }

    /** Reverts {@link #beginClose()}, after the object could not be destroyed. */
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

    @Override
    public String toString() {
        return description;
    }
}
