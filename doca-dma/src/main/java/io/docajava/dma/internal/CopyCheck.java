/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.internal;

import io.docajava.core.device.Device;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.dma.DmaCapabilities;
import io.docajava.ffi.submission.TaskCommands;

/**
 * Checks the arguments of copies on one device. The SDK does not check some mistakes, and stops the whole context for
 * others. {@link CopyOperations} and {@link ListCopy} call it before each submission. It makes no native calls and
 * allocates nothing.
 */
final class CopyCheck {

    private final String device;
    private final long devicePointer;
    private final DmaCapabilities limits;
    private final long maxLength;

    CopyCheck(Device device, DmaCapabilities limits) {
        this.device = device.info().displayName();
        this.devicePointer = DeviceImpl.address(device);
        this.limits = limits;
        this.maxLength = Math.min(limits.maxBufferSize(), TaskCommands.MAX_LENGTH);
    }

    /**
     * Checks a copy by one task. Source and target are given by the first elements of their lists.
     *
     * @return the number of bytes to copy
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit of the device, or the
     *     target is a list
     * @throws IllegalStateException if another copy in flight uses a buffer in a way that excludes this one
     */
    long check(BufElement source, BufElement target) {
        long length = source.dataLength();
        if (isFine(source, target, length)) {
            return length;
        }
        checkSingle(target);
        return checkToList(source, target);
    }

    /** Does the same as {@link #check} for a copy that may use several tasks, and whose target may be a list. */
    long checkToList(BufElement source, BufElement target) {
        checkDifferent(source, target);
        checkFree(source, target);
        return checkFit(source, target);
    }

    /**
     * Does the same as {@link #check} for a copy of a graph, but ignores other uses of the buffers. Other tasks of the
     * graph may use them before or after the copy.
     */
    long checkInGraph(BufElement source, BufElement target) {
        checkSingle(target);
        checkDifferent(source, target);
        return checkFit(source, target);
    }

    /** Returns true if a copy from one buffer to another is valid. This is the fast path of {@link #check}. */
    private boolean isFine(BufElement source, BufElement target, long length) {
        return source.pointer() != target.pointer()
                && source.isSingle()
                && target.isSingle()
                && target.tasks() == 0
                && !source.isTarget()
                && length > 0
                && length <= maxLength
                && length <= target.tailLength()
                && source.map().isUsableBy(devicePointer)
                && target.map().isUsableBy(devicePointer)
                && target.map().isWritable()
                && (target.tail() >= source.data() + length || source.data() >= target.tail() + length);
    }

    /** Returns the largest number of bytes that one task can copy. */
    long maxLength() {
        return maxLength;
    }

    /**
     * Refuses a copy of ranges that is too long for one task.
     *
     * @throws IllegalArgumentException if it is
     */
    void checkLength(long length) {
        if (length > maxLength) {
            throw new IllegalArgumentException("A task on " + device + " can copy " + maxLength + " bytes, and not "
                    + length + ": copies with a future divide themselves into several tasks");
        }
    }

    /**
     * Checks a copy of one range to another, except for what {@link #checkLength} and {@link #checkMaps} check.
     *
     * @throws IndexOutOfBoundsException if a range is not inside its map
     * @throws IllegalArgumentException if the ranges overlap
     * @throws IllegalStateException if memory was freed while it was mapped, or ranges of a closed map overlap
     */
    void checkRanges(MapState source, long sourceOffset, MapState target, long targetOffset, long length) {
        if (!source.contains(sourceOffset, length)) {
            throw source.outside(sourceOffset, length);
        }
        if (!target.contains(targetOffset, length)) {
            throw target.outside(targetOffset, length);
        }
        long from = source.base() + sourceOffset;
        long to = target.base() + targetOffset;
        if (to < from + length && from < to + length && source.sharesAddressesWith(target)) {
            // The more useful message, if both are true.
            source.resource().checkOpen();
            target.resource().checkOpen();
            throw new IllegalArgumentException("The target would be written over the source: " + length + " bytes at "
                    + source.place(from) + " and at " + target.place(to));
        }
        if (source.isFreeable()) {
            source.checkAlive();
        }
        if (target.isFreeable()) {
            target.checkAlive();
        }
    }

    /**
     * Checks whether the device can copy from one map to another.
     *
     * @throws IllegalArgumentException if it cannot
     */
    void checkMaps(MapState source, MapState target) {
        checkReachable(source, "source");
        checkReachable(target, "target");
        checkReadable(source);
        checkWritable(target);
    }

    private static void checkReadable(MapState map) {
        if (map.grants().missingToRead() != null) {
            throw new IllegalArgumentException("The source is in " + map + ", whose access lacks "
                    + map.grants().missingToRead());
        }
    }

    private static void checkWritable(MapState map) {
        if (!map.isWritable()) {
            throw new IllegalArgumentException("The target is in " + map + ", whose access lacks "
                    + map.grants().missingToWrite());
        }
    }

    private static void checkDifferent(BufElement source, BufElement target) {
        if (source.pointer() == target.pointer()) {
            throw new IllegalArgumentException("The source of a copy cannot be its target");
        }
    }

    private long checkFit(BufElement source, BufElement target) {
        checkElements(source);
        long bytes = checkSource(source);
        checkTarget(target, bytes);
        checkOverlap(source, target, bytes);
        return bytes;
    }

    /**
     * Throws if another copy in flight excludes this one. Many copies may read a buffer at the same time, or one may
     * write to it.
     */
    private static void checkFree(BufElement source, BufElement target) {
        if (target.tasks() > 0) {
            throw new IllegalStateException("The target is used by another copy in flight");
        }
        if (source.isTarget()) {
            throw new IllegalStateException("The source is the target of another copy in flight");
        }
    }

    /** Throws if the target is a list. The SDK would write to its first buffer only, and beyond the end of that. */
    private static void checkSingle(BufElement target) {
        if (!target.isSingle()) {
            throw new IllegalArgumentException("The target is a list of " + target.elements()
                    + " buffers, and a task writes to one: take a task for each buffer, or DmaContext.copy(), which does"
                    + " so by itself");
        }
    }

    private void checkElements(BufElement source) {
        if (source.elements() > 1 && source.elements() > limits.maxListLength()) {
            throw new IllegalArgumentException("The source is a list of " + source.elements() + " buffers; a copy on "
                    + device + " can have " + limits.maxListLength());
        }
    }

    private long checkSource(BufElement source) {
        long bytes = 0;
        for (BufElement element = source; element != null; element = element.next()) {
            if (element.dataLength() == 0) {
                throw new IllegalArgumentException(
                        "A source buffer has no data: its data segment is empty, as that of new space is");
            }
            checkReachable(element.map(), "source");
            checkReadable(element.map());
            bytes += element.dataLength();
        }
        if (bytes > limits.maxBufferSize()) {
            throw new IllegalArgumentException("The source has " + bytes + " bytes of data; a copy on " + device
                    + " can have " + limits.maxBufferSize());
        }
        return bytes;
    }

    private void checkTarget(BufElement target, long bytes) {
        long room = 0;
        for (BufElement element = target; element != null; element = element.next()) {
            checkReachable(element.map(), "target");
            checkWritable(element.map());
            room += element.tailLength();
        }
        if (room < bytes) {
            throw new IllegalArgumentException(
                    "The target has room for " + room + " bytes behind its data; the source has " + bytes);
        }
    }

    private void checkReachable(MapState map, String role) {
        map.checkAlive();
        if (!map.isRegisteredWith(devicePointer)) {
            throw new IllegalArgumentException(
                    "The " + role + " is in " + map + ", which is not registered with " + device);
        }
    }

    /**
     * Throws if a copy would overwrite its own source.
     *
     * @param bytes the number of bytes to copy
     * @throws IllegalArgumentException if source and target overlap
     */
    static void checkOverlap(BufElement source, BufElement target, long bytes) {
        long left = bytes;
        for (BufElement to = target; to != null && left > 0; to = to.next()) {
            long length = Math.min(left, to.tailLength());
            left -= length;
            for (BufElement from = source; from != null; from = from.next()) {
                if (from.data() < to.tail() + length
                        && to.tail() < from.data() + from.dataLength()
                        && from.map().sharesAddressesWith(to.map())) {
                    throw new IllegalArgumentException("The target would be written over the source: "
                            + from.dataLength() + " bytes at " + from.place(from.data()) + " and " + length
                            + " bytes at " + to.place(to.tail()));
                }
            }
        }
    }
}
