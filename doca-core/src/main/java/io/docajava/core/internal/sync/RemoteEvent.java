/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.internal.lifecycle.Resource;
import java.util.concurrent.atomic.AtomicInteger;

/** State of a peer's sync event for RDMA operations. Safe for use by many threads. */
public final class RemoteEvent {

    /** Added to the number of operations while there can be none, which makes it negative. */
    private static final int RETIRED = Integer.MIN_VALUE;

    private final long pointer;
    private final long device;
    private final Resource resource;
    private final AtomicInteger operations = new AtomicInteger();

    /**
     * Describes an imported event.
     *
     * @param pointer to the {@code doca_sync_event_remote_net}
     * @param device to the {@code doca_dev} that it was imported for
     * @param resource its life
     */
    public RemoteEvent(long pointer, long device, Resource resource) {
        this.pointer = pointer;
        this.device = device;
        this.resource = resource;
    }

    /** The pointer to the {@code doca_sync_event_remote_net}. */
    public long pointer() {
        return pointer;
    }

    /** Returns whether it was imported for a device, given by its native pointer. */
    public boolean isOf(long otherDevice) {
        return device == otherDevice;
    }

    /**
     * Refuses an event that is closed.
     *
     * @throws IllegalStateException if it is
     */
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

    /** Takes {@link #acquire()} back. */
    public void release() {
        operations.decrementAndGet();
    }

    /**
     * Lets no operation use the event any more.
     *
     * @throws IllegalStateException if some do
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

    /** Takes {@link #retire()} back. */
    public void revive() {
        // Added a second time it overflows to nothing; what was counted meanwhile is about to be taken back.
        operations.addAndGet(RETIRED);
    }

    @Override
    public String toString() {
        return resource.description();
    }
}
