/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommMessage;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.sync.SyncEventExport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/** The implementation of {@link CommMessage}. */
public final class CommMessageImpl implements CommMessage {

    private final byte[] bytes;

    /** Creates a message that owns the array. */
    CommMessageImpl(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public int length() {
        return bytes.length;
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    @Override
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public Optional<MmapExport> mmapExport() {
        return parsed(MmapExport::parse);
    }

    @Override
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
