/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.memory.MapRange;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ended copy, as its handler sees it. It is valid during the call of the handler, on that thread: the next call describes another
 * copy by the same object.
 */
@SuppressWarnings("ReferenceEquality") // a reference is stored only if it has changed
public final class CopyEnd {

    private long bytes;
    private long tag;
    private @Nullable MapState source;
    private @Nullable MapState target;
    private long sourceAddress;
    private long sourceLength;
    private long targetAddress;
    private long targetLength;

    CopyEnd() {}

    /** Describes another copy. */
    void set(
            MapState newSource,
            long newSourceAddress,
            long newSourceLength,
            MapState newTarget,
            long newTargetAddress,
            long newTargetLength,
            long newBytes,
            long newTag) {
        if (newSource != source) {
            source = newSource;
        }
        if (newTarget != target) {
            target = newTarget;
        }
        sourceAddress = newSourceAddress;
        sourceLength = newSourceLength;
        targetAddress = newTargetAddress;
        targetLength = newTargetLength;
        bytes = newBytes;
        tag = newTag;
    }

    /** {@return the number of bytes that were to be copied} They were copied if the copy has succeeded. */
    public long bytes() {
        return bytes;
    }

    /** {@return the tag that the copy was submitted with; 0 if it had none} */
    public long tag() {
        return tag;
    }

    /** {@return the range that was copied; of a list of buffers, the data of the first one} */
    public MapRange source() {
        return MmapImpl.range(Objects.requireNonNull(source), sourceAddress, sourceLength);
    }

    /**
     * {@return the range that was copied to; of a list of buffers, the part in the first one} If the copy has failed, any byte of the
     * target may have been written.
     */
    public MapRange target() {
        return MmapImpl.range(Objects.requireNonNull(target), targetAddress, targetLength);
    }

    @Override
    public String toString() {
        return "copy from " + source() + " to " + target();
    }
}
