/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A time limit for operations that block on a channel: when the time has passed, the channel is closed. */
final class Deadline {

    /** Closes the channels of all exchanges in time, by one thread, which ends when it has had nothing to do for a while. */
    private static final ScheduledThreadPoolExecutor WATCH = createWatch();

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    /** An operation that may block on a channel. */
    @FunctionalInterface
    interface BlockingAction {
        void run() throws IOException;
    }

    private static ScheduledThreadPoolExecutor createWatch() {
        ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(
                1, task -> ExchangeThread.create("time limits of descriptor exchanges", task));
        watch.setRemoveOnCancelPolicy(true);
        watch.setKeepAliveTime(5, TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
        return watch;
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
        Future<?> watch = WATCH.schedule(
                () -> {
                    if (isDecided.compareAndSet(false, true)) {
                        PeerChannel.close(channel);
                    }
                },
                end - System.nanoTime(),
                TimeUnit.NANOSECONDS);
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
            watch.cancel(false);
        }
    }

    static SocketTimeoutException timeout(String message, @Nullable Throwable cause) {
        return PeerChannel.withCause(new SocketTimeoutException(message), cause);
    }
}
