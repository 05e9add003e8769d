/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A time limit for operations that block on a channel: when the time has passed, the channel is closed. */
final class Deadline {

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    /** An operation that may block on a channel. */
    @FunctionalInterface
    interface BlockingAction {
        void run() throws IOException;
    }

    static Deadline after(Duration timeout) {
        Duration longest = Duration.ofDays(365);
        Duration bounded = timeout.compareTo(longest) > 0 ? longest : timeout;
        return new Deadline(System.nanoTime() + bounded.toNanos());
    }

    /** Returns this deadline, or an earlier one after a timeout. */
    Deadline atMost(Duration timeout) {
        return timeout.compareTo(left()) < 0 ? after(timeout) : this;
    }

    /** Returns a timeout in the notation of messages. */
    static String text(Duration timeout) {
        return timeout.toMillis() % 1000 == 0 ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
    }

    /** Returns the remaining time, which is zero or negative once the deadline has passed. */
    Duration left() {
        return Duration.ofNanos(end - System.nanoTime());
    }

    boolean isOver() {
        return end - System.nanoTime() <= 0;
    }

    /**
     * Runs an operation that may block on a channel, and closes the channel when the time has passed.
     *
     * @param message the message of the exception in that case
     * @throws SocketTimeoutException if the time has passed
     */
    void during(Channel channel, BlockingAction operation, Supplier<String> message) throws IOException {
        // Set by whichever comes first: the end of the operation, or the end of its time.
        AtomicBoolean isDecided = new AtomicBoolean();
        Thread watch = ExchangeThread.start("time limit of descriptor exchange", () -> {
            try {
                // Allocates nothing: the channel is closed in time even if no memory is left.
                TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
                if (isDecided.compareAndSet(false, true)) {
                    channel.close();
                }
            } catch (InterruptedException inTime) {
                // The operation has ended.
            } catch (IOException e) {
                // The channel is closed nevertheless.
            }
        });
        try {
            operation.run();
            if (!isDecided.compareAndSet(false, true)) {
                throw timeout(message.get(), null);
            }
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (ClosedChannelException e) {
            throw isDecided.compareAndSet(false, true) ? e : timeout(message.get(), e);
        } finally {
            watch.interrupt();
        }
    }

    static SocketTimeoutException timeout(String message, @Nullable Throwable cause) {
        return PeerChannel.withCause(new SocketTimeoutException(message), cause);
    }
}
