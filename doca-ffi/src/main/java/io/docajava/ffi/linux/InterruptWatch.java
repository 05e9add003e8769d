/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Lets an interrupt end a wait in the kernel, which does not notice it by itself: the interrupting thread wakes the
 * {@link Epoll}. The JDK offers this to channels only, and closes one by the first interrupt; then a new one is needed.
 */
final class InterruptWatch extends AbstractInterruptibleChannel {

    private final Epoll epoll;

    InterruptWatch(Epoll epoll) {
        this.epoll = epoll;
    }

    /** From now on an interrupt of the current thread wakes, and one that came before does so at once. */
    void enter() {
        begin();
    }

    /** The end of that. */
    void leave() {
        try {
            end(true);
        } catch (AsynchronousCloseException interrupted) {
            // The interrupt status of the thread says so as well, and stays.
        }
    }

    @Override
    protected void implCloseChannel() {
        epoll.wake();
    }
}
