/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import io.docajava.core.memory.MmapExport;
import io.docajava.rdma.ConnectionDetails;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * A session between two processes, in which each sends its descriptors to the other one under labels: what {@code doca_rdma_export}
 * and {@code doca_mmap_export_rdma} give, or any other bytes. One side calls {@link #listen} and the other one {@link #connect}
 * with the same address, a TCP port or a Unix-domain socket, in either order. Two sides that are equal both call {@link #open}.
 *
 * <p>Each label is said once by a side, and the other side asks for labels in any order. What has arrived is kept until it is
 * asked for: 256 messages, or 4 MiB of them, at most.
 *
 * <p>Descriptors are secrets. A Unix-domain socket lets only processes of the same user take part; TCP is not encrypted and
 * knows nobody: use it in a network that you trust.
 *
 * <p>Everything here waits for the peer and blocks the calling thread, which may be a virtual one: not the thread of a
 * progress loop. Safe for use by many threads. An interrupt, or a time that is over while something is sent, ends the talk.
 */
public final class DescriptorExchange implements AutoCloseable {

    /** The most bytes of one message. */
    public static final int MAX_LENGTH = 1 << 20;

    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1," + Message.MAX_LABEL + "}");

    private final SocketChannel channel;
    private final SocketAddress address;
    private final boolean isFirst;
    private final Duration timeout;
    private final Inbox inbox;
    private final ReentrantLock sending = new ReentrantLock();

    private DescriptorExchange(Meeting meeting, SocketAddress address, Duration timeout, Inbox inbox) {
        this.channel = meeting.channel();
        this.isFirst = meeting.isFirst();
        this.address = address;
        this.timeout = timeout;
        this.inbox = inbox;
    }

    /**
     * Waits at an address for the peer, which calls {@link #connect}. Connections of anything else are ignored: those that send
     * other bytes, send nothing, or end at once.
     *
     * @param address of this machine, as both sides can use it; or the wildcard address, for all of its networks
     * @param timeout how long to wait for the peer, now and whenever something is sent or received; more than zero
     * @throws IllegalArgumentException if the timeout is not positive, or the address is of another kind
     * @throws java.net.BindException if another process listens at the address, or it is not of this machine
     * @throws java.net.SocketTimeoutException if the peer does not come in time
     * @throws java.net.ProtocolException if the peer is of another version
     * @throws IOException if the address cannot be used
     */
    public static DescriptorExchange listen(SocketAddress address, Duration timeout) throws IOException {
        return meet(address, timeout, Meeting::byListening);
    }

    /**
     * Connects to the peer, as soon as it calls {@link #listen} at an address. Two sides that connect never meet each other.
     *
     * @param address where the peer listens
     * @param timeout how long to wait for the peer, now and whenever something is sent or received; more than zero
     * @throws IllegalArgumentException if the timeout is not positive, or the address is of another kind
     * @throws java.net.SocketTimeoutException if nobody listens in time
     * @throws java.net.ProtocolException if something else listens there, or the peer is of another version
     * @throws IOException if the address cannot be used, or a process of another user listens there
     */
    public static DescriptorExchange connect(SocketAddress address, Duration timeout) throws IOException {
        return meet(address, timeout, Meeting::byConnecting);
    }

    /**
     * Meets a peer that calls this as well: the first one of the two listens, and the second one connects. The first one ignores
     * connections of anything else, as {@link #listen} does. Where the two sides differ, {@link #listen} and {@link #connect}
     * keep two equal sides from meeting by mistake.
     *
     * @param address of one of the two machines, as both of them can use it; or on that machine the wildcard address, for all
     *     of its networks
     * @param timeout how long to wait for the peer, now and whenever something is sent or received; more than zero
     * @throws IllegalArgumentException if the timeout is not positive, or the address is of another kind
     * @throws java.net.SocketTimeoutException if the peer does not come in time
     * @throws java.net.ProtocolException if this side connects to something else, or the peer is of another version
     * @throws IOException if the address cannot be used, or this side connects to a process of another user
     */
    public static DescriptorExchange open(SocketAddress address, Duration timeout) throws IOException {
        return meet(address, timeout, Meeting::at);
    }

    private static DescriptorExchange meet(SocketAddress address, Duration timeout, Way way) throws IOException {
        Objects.requireNonNull(timeout, "timeout");
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("A timeout is more than zero, and not " + timeout);
        }
        Objects.requireNonNull(address, "address");
        Meeting meeting = way.meet(address, Deadline.after(timeout));
        Inbox inbox = new Inbox(meeting.channel(), ExchangeAddress.describe(address));
        inbox.open();
        return new DescriptorExchange(meeting, address, timeout, inbox);
    }

    /** How the two sides find each other. */
    private interface Way {
        Meeting meet(SocketAddress address, Deadline deadline) throws IOException;
    }

    /**
     * Reads an address: {@code host:port}, {@code [IPv6]:port}, {@code :port} for all addresses of this machine, or {@code
     * unix:path}.
     *
     * @throws IllegalArgumentException if it is none of these, or the port is not from 1 to 65535
     */
    public static SocketAddress address(String text) {
        Objects.requireNonNull(text, "text");
        return ExchangeAddress.parse(text);
    }

    /** Returns whether this side listened, for programs that are equal and share two roles. */
    public boolean isFirst() {
        return isFirst;
    }

    /**
     * Tells the peer some bytes.
     *
     * @param label of 1 to 64 letters, digits, dots, underscores and dashes, which was not said before
     * @param bytes 0 to 1048576 of them
     * @throws IllegalArgumentException if the label or the number of bytes is none of these
     * @throws java.net.SocketTimeoutException if the peer does not take them in time; the talk has ended then
     * @throws IOException if the peer has gone, or this side was closed
     */
    public void send(String label, byte[] bytes) throws IOException {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(bytes, "bytes");
        checkLabel(label);
        if (bytes.length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "A message has " + MAX_LENGTH + " bytes at most, and not " + bytes.length);
        }
        sending.lock();
        try {
            Deadline.after(timeout)
                    .during(
                            channel,
                            () -> Message.write(channel, label, bytes),
                            () -> "The peer at "
                                    + ExchangeAddress.describe(address) + " has not taken \"" + label + "\" within "
                                    + Deadline.text(timeout));
        } finally {
            sending.unlock();
        }
    }

    /** Tells the peer how to connect, as {@link #send(String, byte[])} does. */
    public void send(String label, ConnectionDetails details) throws IOException {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(details, "details");
        send(label, details.bytes());
    }

    /** Tells the peer how to reach memory, with its address, its length and its access, as {@link #send(String, byte[])} does. */
    public void send(String label, MmapExport export) throws IOException {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(export, "export");
        send(label, export.toBytes());
    }

    /**
     * Receives what the peer has sent under a label, and waits for it if necessary.
     *
     * @throws IllegalArgumentException if it is no label
     * @throws java.net.SocketTimeoutException if the peer does not send it in time; the call can be repeated
     * @throws java.net.ProtocolException if the peer sends anything that is no message, too much, or a label twice
     * @throws IOException if the peer has gone without telling it, or this side was closed
     */
    public byte[] receive(String label) throws IOException {
        Objects.requireNonNull(label, "label");
        checkLabel(label);
        return inbox.take(label, timeout);
    }

    /**
     * Waits for connection details, as {@link #receive} does.
     *
     * @throws java.net.ProtocolException also if it is something else
     */
    public ConnectionDetails receiveConnection(String label) throws IOException {
        Objects.requireNonNull(label, "label");
        byte[] bytes = receive(label);
        try {
            return ConnectionDetails.of(bytes);
        } catch (IllegalArgumentException e) {
            throw unfit(label, e);
        }
    }

    /**
     * Waits for an export of memory, as {@link #receive} does.
     *
     * @throws java.net.ProtocolException also if it is something else
     */
    public MmapExport receiveExport(String label) throws IOException {
        Objects.requireNonNull(label, "label");
        byte[] bytes = receive(label);
        try {
            return MmapExport.parse(bytes);
        } catch (IllegalArgumentException e) {
            throw unfit(label, e);
        }
    }

    /**
     * Ends the talk: nothing more is sent or received here. The peer still receives what was sent. Closing it again does
     * nothing.
     */
    @Override
    public void close() {
        inbox.close(timeout);
    }

    /** Describes the exchange by its address. */
    @Override
    public String toString() {
        return "Exchange of descriptors at " + ExchangeAddress.describe(address);
    }

    private static void checkLabel(String label) {
        if (!LABEL.matcher(label).matches()) {
            throw new IllegalArgumentException("A label has 1 to " + Message.MAX_LABEL
                    + " letters, digits, dots, underscores and dashes, and is not \"" + label + "\"");
        }
    }

    private static ProtocolException unfit(String label, IllegalArgumentException reason) {
        ProtocolException failure = new ProtocolException(
                "What the peer has sent as \"" + label + "\" is of no use: " + reason.getMessage());
        failure.initCause(reason);
        return failure;
    }
}
