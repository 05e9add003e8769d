/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The life of one native object. Its owner asks here whether it may still be used, and closes it in three steps:
 * {@link #beginClose()}, the native call, {@link #endClose()}. An object that others depend on cannot be closed before
 * them.
 *
 * <p>Safe for use by many threads.
 */
public final class Resource {

    /** Where in its life an object is. */
    public enum State {
        /** In use. */
        OPEN,
        /** Being closed: no use, not yet gone. */
        CLOSING,
        /** Gone. */
        CLOSED
    }

    private final String description;
    private final List<Resource> parents;
    private final Set<Resource> children = new LinkedHashSet<>();
    private final LeakReport leakReport;
    private volatile State state = State.OPEN;

    private Resource(String description, List<Resource> parents, LeakReport leakReport) {
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
        Resource resource = new Resource(description, List.of(parents), LeakReport.watch(owner, description));
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
        return resource;
    }

    /** What the object is, as errors name it. */
    public String description() {
        return description;
    }

    /** Where in its life the object is. */
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
        return true;
    }

    /** Ends the life of the object after it was natively destroyed. */
    public void endClose() {
        synchronized (this) {
            state = State.CLOSED;
        }
        leakReport.closed();
        parents.forEach(parent -> parent.abandon(this));
    }

    /** Takes {@link #beginClose()} back: the object could not be destroyed and lives on. */
    public synchronized void cancelClose() {
        state = State.OPEN;
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
