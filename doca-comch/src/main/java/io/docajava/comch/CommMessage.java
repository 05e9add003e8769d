/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.memory.MmapExport;
import io.docajava.core.sync.SyncEventExport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/** A message that was received on a {@link CommConnection}. It is immutable, and any thread may use it. */
public final class CommMessage {

    private final byte[] bytes;

    /** Creates a message that owns the array. */
    CommMessage(byte[] bytes) {
        this.bytes = bytes;
    }

    /** {@return the length in bytes, 1 or more} */
    public int length() {
        return bytes.length;
    }

    /** {@return a new array with a copy of the bytes} */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** {@return a new read-only buffer of the bytes, which are not copied} */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** {@return the bytes decoded from UTF-8; malformed bytes become replacement characters} */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * {@return the export that the peer has sent by {@link CommConnection#sendExport(MmapExport)}; empty if this is another
     * message}
     */
    public Optional<MmapExport> mmapExport() {
        return parsed(MmapExport::parse);
    }

    /**
     * {@return the export that the peer has sent by {@link CommConnection#sendExport(SyncEventExport)}; empty if this is another
     * message}
     */
    public Optional<SyncEventExport> syncEventExport() {
        return parsed(SyncEventExport::parse);
    }

    private <T> Optional<T> parsed(Function<byte[], T> parser) {
        try {
            return Optional.of(parser.apply(bytes));
        } catch (IllegalArgumentException otherBytes) {
            return Optional.empty();
        }
    }

    /** Describes the message by its length only, as its bytes may be secret. */
    @Override
    public String toString() {
        return bytes.length == 1 ? "A message of 1 byte" : "A message of " + bytes.length + " bytes";
    }
}
