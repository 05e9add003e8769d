/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The time until which something has to be done: what blocks on a channel is ended by closing the channel. */
final class Deadline {

    private static final Duration LONGEST = Duration.ofDays(365);

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    /** A call that may block on a channel. */
    @FunctionalInterface
    interface Blocking<T> {
        T run() throws IOException;
    }

    /** As {@link Blocking}, without a result. */
    @FunctionalInterface
    interface BlockingAction {
        void run() throws IOException;
    }

    static Deadline after(Duration timeout) {
        Duration bounded = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
        return new Deadline(System.nanoTime() + bounded.toNanos());
    }

    /** The same, or sooner. */
    Deadline atMost(Duration timeout) {
        return timeout.compareTo(left()) < 0 ? after(timeout) : this;
    }

    /** A time as errors name it. */
    static String text(Duration timeout) {
        return timeout.toMillis() % 1000 == 0 ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
    }

    /** Zero or negative once it has passed. */
    Duration left() {
        return Duration.ofNanos(end - System.nanoTime());
    }

    boolean isOver() {
        return end - System.nanoTime() <= 0;
    }

    /** As {@link #during(Channel, Blocking, Supplier)}. */
    void during(Channel channel, BlockingAction work, Supplier<String> complaint) throws IOException {
        during(
                channel,
                () -> {
                    work.run();
                    return true;
                },
                complaint);
    }

    /**
     * Does something that may block on a channel, and closes the channel when the time has passed.
     *
     * @param complaint what to say then
     * @throws SocketTimeoutException if the time has passed
     */
    <T> T during(Channel channel, Blocking<T> work, Supplier<String> complaint) throws IOException {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread watch = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(left());
                isOver.set(true);
                channel.close();
            } catch (InterruptedException inTime) {
                // There is nothing to end any more.
            } catch (IOException e) {
                // It is closed nevertheless.
            }
        });
        try {
            return work.run();
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (AsynchronousCloseException e) {
            throw isOver.get() ? timeout(complaint.get(), e) : e;
        } finally {
            watch.interrupt();
        }
    }

    static SocketTimeoutException timeout(String complaint, Throwable cause) {
        SocketTimeoutException timeout = new SocketTimeoutException(complaint);
        timeout.initCause(cause);
        return timeout;
    }
}
