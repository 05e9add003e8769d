/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.memory.MmapExport;
import io.docajava.ffi.internal.StackGuard;
import io.docajava.rdma.ConnectionDetails;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A session between two processes, in which each sends its descriptors to the other one under labels. A descriptor is a result of
 * {@code doca_rdma_export} or {@code doca_mmap_export_rdma}, or any other bytes. One side calls {@link #listen} and the other one
 * {@link #connect} with the same address, a TCP port or a Unix-domain socket, in either order. If both sides run the same program,
 * both call {@link #open}.
 *
 * <p>Each side sends a label once, and receives the labels of the other side in any order. Messages that have arrived are kept
 * until they are received, at most 256 messages and 4 MiB.
 *
 * <p>Descriptors are secret. A Unix-domain socket accepts only processes of the same user. TCP neither encrypts nor authenticates:
 * use it only in a trusted network.
 *
 * <p>Methods that wait for the peer block the calling thread, which may be a virtual one. Do not call them on the thread of a
 * progress loop. An exchange is safe for use by many threads. It ends when a thread is interrupted while it sends, and when a send
 * times out.
 *
 * <p>An exchange reads messages on a daemon platform thread of its own, and one further such thread watches the timeouts of all
 * exchanges. A platform thread that waits for the peer is therefore not delayed by virtual threads that occupy all carriers.
 */
public final class DescriptorExchange implements AutoCloseable {

    /** The largest length of a message in bytes. */
    public static final int MAX_LENGTH = 1 << 20;

    private static final String LABEL = "[A-Za-z0-9._-]{1," + Message.MAX_LABEL + "}";

    private final PeerChannel peer;
    private final SocketAddress address;
    private final Duration timeout;
    private final Inbox inbox;
    private final ReentrantLock sending = new ReentrantLock();

    private DescriptorExchange(PeerChannel peer, SocketAddress address, Duration timeout, Inbox inbox) {
        this.peer = peer;
        this.address = address;
        this.timeout = timeout;
        this.inbox = inbox;
    }

    /**
     * Listens at an address until the peer calls {@link #connect}. Connections of other programs are ignored. At most 16 of them are
     * open at a time: a further one closes the oldest.
     *
     * @param address of this machine, which the peer can reach, or the wildcard address for all networks of this machine
     * @param timeout the longest time to wait for the peer, here and in each later send or receive; more than zero
     * @return an open exchange with {@link #isFirst()} true, to be closed by any thread
     * @throws IllegalArgumentException if the timeout is not positive, or the address is neither TCP nor a Unix-domain socket
     * @throws java.net.BindException if another process listens at the address, or it is not an address of this machine
     * @throws java.net.SocketTimeoutException if the peer does not connect in time
     * @throws java.net.ProtocolException if the peer uses another version of the protocol
     * @throws IOException if the address cannot be used
     */
    public static DescriptorExchange listen(SocketAddress address, Duration timeout) throws IOException {
        return open(address, timeout, PeerChannel::byListening);
    }

    /**
     * Connects to the peer as soon as it listens at an address. Two sides that both connect never find each other.
     *
     * @param address that the peer passes to {@link #listen}
     * @param timeout the longest time to wait for the peer, here and in each later send or receive; more than zero
     * @return an open exchange with {@link #isFirst()} false, to be closed by any thread
     * @throws IllegalArgumentException if the timeout is not positive, or the address is neither TCP nor a Unix-domain socket
     * @throws java.net.SocketTimeoutException if the peer does not listen in time
     * @throws java.net.ProtocolException if another program listens there, or the peer uses another version of the protocol
     * @throws IOException if the address cannot be used, or a process of another user listens there
     */
    public static DescriptorExchange connect(SocketAddress address, Duration timeout) throws IOException {
        return open(address, timeout, PeerChannel::byConnecting);
    }

    /**
     * Listens or connects, for a peer that calls this method, too: the first of the two listens, and the second one connects. The
     * first one ignores connections of other programs, as {@link #listen} does. If the two sides have different roles, use {@link
     * #listen} and {@link #connect}, so that two sides of the same role do not find each other by mistake.
     *
     * @param address of one of the two machines, which both can reach; there it may be the wildcard address for all networks
     * @param timeout the longest time to wait for the peer, here and in each later send or receive; more than zero
     * @return an open exchange, whose {@link #isFirst()} differs on the two sides, to be closed by any thread
     * @throws IllegalArgumentException if the timeout is not positive, or the address is neither TCP nor a Unix-domain socket
     * @throws java.net.SocketTimeoutException if the peer does not call in time
     * @throws java.net.ProtocolException if this side connects to another program, or the peer uses another version of the protocol
     * @throws IOException if the address cannot be used, or this side connects to a process of another user
     */
    public static DescriptorExchange open(SocketAddress address, Duration timeout) throws IOException {
        return open(address, timeout, PeerChannel::byEither);
    }

    private static DescriptorExchange open(SocketAddress address, Duration timeout, Connector connector)
            throws IOException {
        Objects.requireNonNull(timeout, "timeout");
        StackGuard.check();
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("A timeout is more than zero, and not " + timeout);
        }
        Objects.requireNonNull(address, "address");
        PeerChannel.check(address);
        PeerChannel peer = find(connector, address, Deadline.after(timeout));
        try {
            Inbox inbox = new Inbox(peer.channel(), ExchangeAddress.describe(address));
            DescriptorExchange exchange = new DescriptorExchange(peer, address, timeout, inbox);
            inbox.open();
            return exchange;
        } catch (Throwable noThread) {
            // Without the thread that reads, the peer would wait in vain.
            peer.channel().close();
            throw noThread;
        }
    }

    /** Finds the peer. A failure of a system call names the limit of open files, if that is reached. */
    private static PeerChannel find(Connector connector, SocketAddress address, Deadline deadline) throws IOException {
        try {
            return connector.connect(address, deadline);
        } catch (IOException failure) {
            boolean isSystemCall = failure.getClass() == SocketException.class
                    || failure.getClass() == FileSystemException.class
                    || failure.getClass() == IOException.class;
            String remedy = isSystemCall ? Calls.openFilesRemedy() : null;
            if (remedy != null) {
                throw new IOException(
                        "No exchange at " + ExchangeAddress.describe(address) + " can begin now: " + remedy, failure);
            }
            throw failure;
        }
    }

    /** One of the ways in which the two sides find each other. */
    private interface Connector {
        PeerChannel connect(SocketAddress address, Deadline deadline) throws IOException;
    }

    /**
     * Parses an address.
     *
     * @param text {@code host:port}, {@code [IPv6]:port}, {@code :port} for all addresses of this machine, or {@code unix:path},
     *     with a port from 1 to 65535
     * @return an address of TCP or of a Unix-domain socket
     * @throws IllegalArgumentException if {@code text} is none of these
     */
    public static SocketAddress address(String text) {
        Objects.requireNonNull(text, "text");
        StackGuard.check();
        return ExchangeAddress.parse(text);
    }

    /** {@return whether this side listened; two processes of the same program can use this to divide two roles} */
    public boolean isFirst() {
        return peer.isFirst();
    }

    /**
     * Sends bytes to the peer.
     *
     * @param label 1 to 64 letters, digits, dots, underscores and dashes, which this side has not sent before
     * @param bytes 0 to {@link #MAX_LENGTH} bytes
     * @throws IllegalArgumentException if the label is malformed, or the bytes are too many
     * @throws java.net.SocketTimeoutException if the peer does not accept them in time, which ends the exchange
     * @throws IOException if the peer has ended, or this side was closed
     */
    public void send(String label, byte[] bytes) throws IOException {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(bytes, "bytes");
        StackGuard.check();
        checkLabel(label);
        if (bytes.length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "A message has " + MAX_LENGTH + " bytes at most, and not " + bytes.length);
        }
        sending.lock();
        try {
            Deadline.after(timeout)
                    .during(
                            peer.channel(),
                            () -> Message.write(peer.channel(), label, bytes),
                            () -> "The peer at "
                                    + ExchangeAddress.describe(address) + " has not accepted \"" + label + "\" within "
                                    + Deadline.text(timeout));
        } catch (SocketTimeoutException | ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            throw inbox.notSent(label, e);
        } finally {
            sending.unlock();
        }
    }

    /**
     * Sends connection details to the peer, as {@link #send(String, byte[])} does.
     *
     * @param label as in {@link #send(String, byte[])}
     * @param details of a prepared connection of this side
     * @throws IllegalArgumentException if the label is malformed
     * @throws java.net.SocketTimeoutException if the peer does not accept them in time, which ends the exchange
     * @throws IOException if the peer has ended, or this side was closed
     */
    public void send(String label, ConnectionDetails details) throws IOException {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(details, "details");
        send(label, details.bytes());
    }

    /**
     * Sends an export of memory, with its address, length and access, as {@link #send(String, byte[])} does.
     *
     * @param label as in {@link #send(String, byte[])}
     * @param export of memory of this process, which must stay open as long as the peer uses the export
     * @throws IllegalArgumentException if the label is malformed, or the export is longer than {@link #MAX_LENGTH}
     * @throws java.net.SocketTimeoutException if the peer does not accept it in time, which ends the exchange
     * @throws IOException if the peer has ended, or this side was closed
     */
    public void send(String label, MmapExport export) throws IOException {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(export, "export");
        send(label, export.toBytes());
    }

    /**
     * Receives the bytes that the peer sends under a label, and waits for them if necessary. Each message is received once.
     *
     * @param label that the peer passes to {@link #send(String, byte[])}
     * @return the bytes, 0 to {@link #MAX_LENGTH}, which belong to the caller
     * @throws IllegalArgumentException if the label is malformed
     * @throws java.net.SocketTimeoutException if the peer does not send them in time; the call may be repeated
     * @throws java.net.ProtocolException if the peer sends other bytes than messages, too many messages, or a label twice
     * @throws IOException if the peer has ended without sending them, this side was closed, or an error such as an
     *     {@link OutOfMemoryError} has ended the thread that reads; the error is then the cause
     */
    public byte[] receive(String label) throws IOException {
        Objects.requireNonNull(label, "label");
        StackGuard.check();
        checkLabel(label);
        return inbox.take(label, timeout);
    }

    /**
     * Receives connection details, as {@link #receive} does.
     *
     * @param label that the peer passes to {@link #send(String, ConnectionDetails)}
     * @return the details, which the SDK checks when it connects
     * @throws IllegalArgumentException if the label is malformed
     * @throws java.net.SocketTimeoutException if the peer does not send them in time; the call may be repeated
     * @throws java.net.ProtocolException if the bytes are not connection details, or as {@link #receive} throws it
     * @throws IOException if the peer has ended without sending them, or as {@link #receive} throws it
     */
    public ConnectionDetails receiveConnection(String label) throws IOException {
        return receive(label, ConnectionDetails::of);
    }

    /**
     * Receives an export of memory, as {@link #receive} does.
     *
     * @param label that the peer passes to {@link #send(String, MmapExport)}
     * @return the export of the peer's memory, to be imported
     * @throws IllegalArgumentException if the label is malformed
     * @throws java.net.SocketTimeoutException if the peer does not send it in time; the call may be repeated
     * @throws java.net.ProtocolException if the bytes are not an export of memory, or as {@link #receive} throws it
     * @throws IOException if the peer has ended without sending it, or as {@link #receive} throws it
     */
    public MmapExport receiveExport(String label) throws IOException {
        return receive(label, MmapExport::parse);
    }

    private <T> T receive(String label, Function<byte[], T> parser) throws IOException {
        byte[] bytes = receive(label);
        try {
            return parser.apply(bytes);
        } catch (IllegalArgumentException e) {
            String message = "The message \"" + label + "\" of the peer cannot be used: " + e.getMessage();
            throw PeerChannel.withCause(new ProtocolException(message), e);
        }
    }

    /**
     * Ends the exchange on this side, so that it can neither send nor receive. The peer still receives all messages that were sent.
     * This does not wait for the peer. A second call does nothing.
     */
    @Override
    public void close() {
        StackGuard.checkToClose();
        inbox.close(timeout);
    }

    /** Describes the exchange by its address. */
    @Override
    public String toString() {
        return "Exchange of descriptors at " + ExchangeAddress.describe(address);
    }

    private static void checkLabel(String label) {
        if (!label.matches(LABEL)) {
            throw new IllegalArgumentException("A label has 1 to " + Message.MAX_LABEL
                    + " letters, digits, dots, underscores and dashes, and is not \"" + label + "\"");
        }
    }
}
