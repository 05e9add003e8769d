/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.exchange;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;

/** Bytes with a label. On the wire: the length of the label (1 byte), the number of bytes (4), the label, and the bytes. */
final class Message {

    static final int MAX_LABEL = 64;

    private static final int HEADER = 1 + 4;

    private final String label;
    private final byte[] bytes;

    private Message(String label, byte[] bytes) {
        this.label = label;
        this.bytes = bytes;
    }

    String label() {
        return label;
    }

    byte[] bytes() {
        return bytes;
    }

    static void write(WritableByteChannel channel, String label, byte[] bytes) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + label.length() + bytes.length);
        frame.put((byte) label.length())
                .putInt(bytes.length)
                .put(label.getBytes(US_ASCII))
                .put(bytes)
                .flip();
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    /** Reads the next message; returns empty at the end of the channel. */
    static Optional<Message> read(ReadableByteChannel channel) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        if (fill(channel, header) == 0) {
            return Optional.empty();
        }
        int labelLength = Byte.toUnsignedInt(complete(header).get());
        int length = header.getInt();
        if (labelLength < 1 || labelLength > MAX_LABEL) {
            throw new ProtocolException(
                    "it has sent a label of " + labelLength + " bytes; a label has 1 to " + MAX_LABEL);
        }
        if (length < 0 || length > DescriptorExchange.MAX_LENGTH) {
            throw new ProtocolException("it has sent a message of " + Integer.toUnsignedString(length)
                    + " bytes; the limit is " + DescriptorExchange.MAX_LENGTH);
        }
        String label = new String(read(channel, labelLength), US_ASCII);
        return Optional.of(new Message(label, read(channel, length)));
    }

    /** Reads exactly {@code length} bytes. */
    static byte[] read(ReadableByteChannel channel, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        fill(channel, bytes);
        return complete(bytes).array();
    }

    private static int fill(ReadableByteChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
        return bytes.position();
    }

    private static ByteBuffer complete(ByteBuffer bytes) throws EOFException {
        if (bytes.hasRemaining()) {
            throw new EOFException("it has ended in the middle of a message");
        }
        return bytes.flip();
    }
}
