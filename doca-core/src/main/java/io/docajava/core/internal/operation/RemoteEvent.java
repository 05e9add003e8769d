/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.internal.lifecycle.Resource;
import java.util.concurrent.atomic.AtomicInteger;

/** The state of a peer's sync event, which RDMA operations use. Safe for use by many threads. */
public final class RemoteEvent {

    /** Added to the number of operations while the event refuses operations, which makes the number negative. */
    private static final int RETIRED = Integer.MIN_VALUE;

    private final long pointer;
    private final long device;
    private final Resource resource;
    private final AtomicInteger operations = new AtomicInteger();

    /**
     * Describes an imported event.
     *
     * @param pointer to the {@code doca_sync_event_remote_net}
     * @param device pointer to the {@code doca_dev} that it was imported for
     * @param resource its lifecycle
     */
    public RemoteEvent(long pointer, long device, Resource resource) {
        this.pointer = pointer;
        this.device = device;
        this.resource = resource;
    }

    /** Returns the pointer to the {@code doca_sync_event_remote_net}. */
    public long pointer() {
        return pointer;
    }

    /** Returns whether the event was imported for a device, given by its native pointer. */
    public boolean isOf(long otherDevice) {
        return device == otherDevice;
    }

    /** Throws an {@link IllegalStateException} if the event is closed. */
    public void checkOpen() {
        resource.checkOpen();
    }

    /**
     * Counts an operation in flight, during which the event cannot be closed.
     *
     * @throws IllegalStateException if it is closed
     */
    public void acquire() {
        if (operations.incrementAndGet() <= 0) {
            operations.decrementAndGet();
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Reverts {@link #acquire()}. */
    public void release() {
        operations.decrementAndGet();
    }

    /**
     * Refuses operations from now on.
     *
     * @throws IllegalStateException if operations use the event
     */
    public void retire() {
        while (!operations.compareAndSet(0, RETIRED)) {
            int count = operations.get();
            if (count > 0) {
                throw new IllegalStateException(this + " cannot be closed while " + count
                        + (count == 1 ? " operation uses it" : " operations use it"));
            }
        }
    }

    /** Reverts {@link #retire()}. */
    public void revive() {
        // The second addition overflows to 0. Threads that were counted meanwhile will decrement the number again.
        operations.addAndGet(RETIRED);
    }

    @Override
    public String toString() {
        return resource.description();
    }
}
