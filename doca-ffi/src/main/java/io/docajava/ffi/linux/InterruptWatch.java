/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Lets an interrupt end a wait in the kernel, which does not notice interrupts: the interrupting thread wakes the {@link Epoll}.
 * The JDK offers this only to channels, and an interrupt closes the channel, so each interrupt needs a new one.
 */
final class InterruptWatch extends AbstractInterruptibleChannel {

    private final Epoll epoll;

    InterruptWatch(Epoll epoll) {
        this.epoll = epoll;
    }

    /** Makes interrupts of the current thread wake the {@link Epoll}. An earlier interrupt does so at once. */
    void enter() {
        begin();
    }

    /** Ends {@link #enter()}. */
    void leave() {
        try {
            end(true);
        } catch (AsynchronousCloseException interrupted) {
            // The interrupt status of the thread is also set, and stays set.
        }
    }

    @Override
    protected void implCloseChannel() {
        epoll.wake();
    }
}
