/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have arrived and were not received yet. A dedicated thread reads the channel, so that two sides that send at the
 * same time never wait for each other.
 */
final class Inbox {

    private static final int MAX_MESSAGES = 256;
    private static final int MAX_BYTES = 4 << 20;

    private final SocketChannel channel;
    private final String peer;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, byte[]> messages = new HashMap<>();
    private final Set<String> labels = new HashSet<>();
    private int bytes;
    private boolean isClosed;
    private boolean hasEnded;
    /** Why reading has failed; null if the peer has ended, or the thread still reads. */
    private @Nullable Throwable failure;

    Inbox(SocketChannel channel, String peer) {
        this.channel = channel;
        this.peer = peer;
    }

    /** Starts the thread that reads. If this fails, the caller closes the channel. */
    void open() {
        ExchangeThread.start("descriptor exchange at " + peer, this::readAll);
    }

    /** Waits for a message and removes it, as {@link DescriptorExchange#receive} describes. */
    byte[] take(String label, Duration timeout) throws IOException {
        lock.lock();
        try {
            await(() -> messages.containsKey(label) || isClosed || hasEnded, Deadline.after(timeout));
            byte[] message = messages.remove(label);
            if (message == null) {
                throw missing(label, timeout);
            }
            bytes -= message.length;
            return message;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Shuts the sending side down. Further messages are read and discarded until the peer ends as well, or the timeout passes:
     * closing a channel with unread bytes would discard the last messages to the peer.
     */
    void close(Duration timeout) {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            messages.clear();
            changed.signalAll();
            if (hasEnded) {
                PeerChannel.close(channel);
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            channel.shutdownOutput();
        } catch (IOException ended) {
            // The peer has ended before.
        }
        try {
            ExchangeThread.start("end of descriptor exchange at " + peer, () -> closeLate(timeout));
        } catch (Throwable noThread) {
            // No other thread would close the channel if the peer never ends.
            PeerChannel.close(channel);
            throw noThread;
        }
    }

    private void closeLate(Duration timeout) {
        lock.lock();
        try {
            await(() -> hasEnded, Deadline.after(timeout));
        } catch (InterruptedIOException e) {
            // An interrupt ends the wait early.
        } finally {
            lock.unlock();
            PeerChannel.close(channel);
        }
    }

    private void readAll() {
        Throwable reason = null;
        try {
            Optional<Message> next = Message.read(channel);
            while (next.isPresent()) {
                keep(next.get());
                next = Message.read(channel);
            }
        } catch (Throwable e) {
            // Whatever ends this thread, such as an OutOfMemoryError, receivers get it as the cause.
            reason = e;
        } finally {
            end(reason);
        }
    }

    private void end(@Nullable Throwable reason) {
        lock.lock();
        try {
            hasEnded = true;
            failure = reason;
            changed.signalAll();
            // After a failure, or when both sides have ended, nothing can be sent any more.
            if (reason != null || isClosed) {
                PeerChannel.close(channel);
            }
        } finally {
            lock.unlock();
        }
    }

    private void keep(Message message) throws ProtocolException {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            if (!labels.add(message.label())) {
                throw new ProtocolException("it has sent \"" + message.label() + "\" twice");
            }
            bytes += message.bytes().length;
            messages.put(message.label(), message.bytes());
            if (messages.size() > MAX_MESSAGES || bytes > MAX_BYTES) {
                throw new ProtocolException("it has sent more than " + MAX_MESSAGES + " messages or " + MAX_BYTES
                        + " bytes that were not received");
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the exception for a message that could not be written to the channel. */
    IOException notSent(String label, IOException reason) {
        lock.lock();
        try {
            if (isClosed) {
                return new IOException(closedText(), reason);
            }
            String text = "Cannot send \"" + label + "\" to the peer at " + peer + ": ";
            if (!(reason instanceof ClosedChannelException)) {
                return new IOException(text + "it has ended (" + reason.getMessage() + ")", reason);
            }
            Throwable end = failure;
            return new IOException(text + explain(end), isSendFailure(end) ? reason : end);
        } finally {
            lock.unlock();
        }
    }

    private String closedText() {
        return "The exchange of descriptors at " + peer + " is closed";
    }

    private IOException missing(String label, Duration timeout) {
        if (isClosed) {
            return new IOException(closedText());
        }
        if (!hasEnded) {
            return new SocketTimeoutException(
                    "The peer at " + peer + " has not sent \"" + label + "\" within " + Deadline.text(timeout));
        }
        Throwable reason = failure;
        if (reason == null) {
            return new EOFException("The peer at " + peer + " has ended without sending \"" + label + "\"");
        }
        if (isSendFailure(reason) || !(reason instanceof IOException)) {
            String text = "Cannot receive \"" + label + "\" from the peer at " + peer + ": ";
            return new IOException(text + explain(reason), reason);
        }
        String text = "The peer at " + peer + " has not sent \"" + label + "\": " + explain(reason);
        return reason instanceof ProtocolException
                ? PeerChannel.withCause(new ProtocolException(text), reason)
                : new IOException(text, reason);
    }

    /** Returns whether a failed send has closed the channel, as far as the end of the thread that reads tells. */
    private static boolean isSendFailure(@Nullable Throwable end) {
        return end == null || end instanceof ClosedChannelException;
    }

    /** Returns why the exchange has ended, as the last part of a message. */
    private static @Nullable String explain(@Nullable Throwable end) {
        if (isSendFailure(end)) {
            return "a send was interrupted or has timed out, which has ended the exchange";
        }
        return end instanceof IOException ? end.getMessage() : "reading its messages has failed: " + end;
    }

    /** Waits with the lock held, until a condition holds or the deadline has passed. */
    private void await(BooleanSupplier condition, Deadline deadline) throws InterruptedIOException {
        try {
            long left = deadline.left().toNanos();
            while (!condition.getAsBoolean() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for the peer at " + peer);
        }
    }
}
