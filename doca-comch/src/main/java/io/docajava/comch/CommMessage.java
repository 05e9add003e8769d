/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.memory.MmapExport;
import io.docajava.core.sync.SyncEventExport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A message that has come by a {@link CommConnection}. */
public final class CommMessage {

    private final byte[] bytes;

    /** Takes the array over. */
    CommMessage(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** A copy of its bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Its bytes, which cannot be changed; without a copy. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** Its bytes as a text in UTF-8. What is no such text becomes replacement characters. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The export of memory that the peer has sent by {@link CommConnection#sendExport(MmapExport)}; empty if it is another message. */
    public Optional<MmapExport> mmapExport() {
        try {
            return Optional.of(MmapExport.parse(bytes));
        } catch (IllegalArgumentException otherBytes) {
            return Optional.empty();
        }
    }

    /** The export of a sync event that the peer has sent by {@link CommConnection#sendExport(SyncEventExport)}; empty if it is another message. */
    public Optional<SyncEventExport> syncEventExport() {
        try {
            return Optional.of(SyncEventExport.parse(bytes));
        } catch (IllegalArgumentException otherBytes) {
            return Optional.empty();
        }
    }

    /** Describes the message by its length. Nothing of what it says, which may be secret. */
    @Override
    public String toString() {
        return bytes.length == 1 ? "A message of 1 byte" : "A message of " + bytes.length + " bytes";
    }
}
