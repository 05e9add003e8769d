/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.internal.memory.MapState;
import io.docajava.core.internal.memory.MmapImpl;
import io.docajava.core.memory.MapRange;
import io.docajava.dma.CopyEnd;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link CopyEnd}. */
public final class CopyEndImpl implements CopyEnd {

    private long bytes;
    private long tag;
    private @Nullable MapState source;
    private @Nullable MapState target;
    private long sourceAddress;
    private long sourceLength;
    private long targetAddress;
    private long targetLength;

    CopyEndImpl() {}

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

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long tag() {
        return tag;
    }

    @Override
    public MapRange source() {
        return MmapImpl.range(Objects.requireNonNull(source), sourceAddress, sourceLength);
    }

    @Override
    public MapRange target() {
        return MmapImpl.range(Objects.requireNonNull(target), targetAddress, targetLength);
    }

    @Override
    public String toString() {
        return "copy from " + source() + " to " + target();
    }
}
