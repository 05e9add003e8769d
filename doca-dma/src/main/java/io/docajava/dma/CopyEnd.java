/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.internal.Handles;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.memory.MapRange;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ended copy of a range, as its handler sees it. It is valid during the call of the handler, on that thread: the next call
 * describes another copy by the same object.
 */
@SuppressWarnings("ReferenceEquality") // a reference is stored only if it has changed
public final class CopyEnd {

    private long bytes;
    private long tag;
    private @Nullable MapState source;
    private @Nullable MapState target;
    private long sourceAddress;
    private long targetAddress;

    CopyEnd() {}

    /** Describes another copy. */
    void set(
            MapState newSource,
            long newSourceAddress,
            MapState newTarget,
            long newTargetAddress,
            long newBytes,
            long newTag) {
        if (newSource != source) {
            source = newSource;
        }
        if (newTarget != target) {
            target = newTarget;
        }
        sourceAddress = newSourceAddress;
        targetAddress = newTargetAddress;
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

    /** {@return the range that was copied} */
    public MapRange source() {
        return range(Objects.requireNonNull(source), sourceAddress);
    }

    /** {@return the range that was copied to} If the copy has failed, any of its bytes may have been written. */
    public MapRange target() {
        return range(Objects.requireNonNull(target), targetAddress);
    }

    @Override
    public String toString() {
        return "copy from " + source() + " to " + target();
    }

    private MapRange range(MapState map, long address) {
        return Handles.range(map, address, bytes);
    }
}
