/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
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
 * Messages that have arrived and were not taken yet. A thread of its own reads all the time, so that two sides that send at
 * once never wait for each other.
 */
final class Inbox {

    private static final int MAX_MESSAGES = 256;
    private static final int MAX_BYTES = 4 << 20;

    private final SocketChannel channel;
    private final String peer;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, byte[]> messages = new HashMap<>();
    private final Set<String> said = new HashSet<>();
    private int bytes;
    private boolean isClosed;
    private boolean hasEnded;
    private @Nullable IOException end;

    Inbox(SocketChannel channel, String peer) {
        this.channel = channel;
        this.peer = peer;
    }

    /** Begins to read. */
    void open() {
        Thread.ofVirtual().name("descriptor exchange at " + peer).start(this::readAll);
    }

    /** Waits for a message, as {@link DescriptorExchange#receive} says. */
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
     * Shuts the sending side down. Reads and discards further messages until the peer ends too, or the time has passed: closing a
     * channel with unread bytes would discard the last messages to the peer.
     */
    void close(Duration patience) {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            messages.clear();
            changed.signalAll();
            if (hasEnded) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            channel.shutdownOutput();
        } catch (IOException gone) {
            // So has the peer.
        }
        Thread.ofVirtual().name("end of descriptor exchange at " + peer).start(() -> closeLate(patience));
    }

    private void closeLate(Duration patience) {
        lock.lock();
        try {
            await(() -> hasEnded, Deadline.after(patience));
        } catch (InterruptedIOException e) {
            // Nobody interrupts this thread; were it so, it would be time to close.
        } finally {
            lock.unlock();
        }
        closeChannel();
    }

    private void readAll() {
        IOException failure = null;
        try {
            Optional<Message> next = Message.read(channel);
            while (next.isPresent()) {
                keep(next.get());
                next = Message.read(channel);
            }
        } catch (IOException e) {
            failure = e;
        }
        lock.lock();
        try {
            hasEnded = true;
            end = failure;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        // Nothing can be sent to the other side either: messages that are left are lost.
        if (failure != null || isClosedHere()) {
            closeChannel();
        }
    }

    private boolean isClosedHere() {
        lock.lock();
        try {
            return isClosed;
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
            if (!said.add(message.label())) {
                throw new ProtocolException("it has sent \"" + message.label() + "\" twice");
            }
            bytes += message.bytes().length;
            messages.put(message.label(), message.bytes());
            if (messages.size() > MAX_MESSAGES || bytes > MAX_BYTES) {
                throw new ProtocolException("it has sent more than " + MAX_MESSAGES + " messages or " + MAX_BYTES
                        + " bytes that nobody has asked for");
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private IOException missing(String label, Duration timeout) {
        if (isClosed) {
            return new IOException("The exchange of descriptors at " + peer + " is closed");
        }
        if (!hasEnded) {
            return new SocketTimeoutException(
                    "The peer at " + peer + " has not sent \"" + label + "\" within " + Deadline.text(timeout));
        }
        IOException reason = end;
        if (reason == null) {
            return new EOFException("The peer at " + peer + " has ended without sending \"" + label + "\"");
        }
        String text = "The peer at " + peer + " has not sent \"" + label + "\": " + reason.getMessage();
        return reason instanceof ProtocolException
                ? withCause(new ProtocolException(text), reason)
                : new IOException(text, reason);
    }

    private static IOException withCause(IOException failure, IOException cause) {
        failure.initCause(cause);
        return failure;
    }

    /** Waits for a condition, or until the time has passed, with the lock held. */
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

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed nevertheless.
        }
    }
}
