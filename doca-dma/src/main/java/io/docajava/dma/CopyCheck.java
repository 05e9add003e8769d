/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.device.Device;
import io.docajava.core.internal.Handles;
import io.docajava.core.internal.memory.BufElement;

/**
 * Finds what is wrong with the arguments of a copy, which the SDK does not look at, or punishes by stopping the whole
 * context. It reads only what Java knows of the buffers: no native call, nothing allocated.
 */
final class CopyCheck {

    private final String device;
    private final long devicePointer;
    private final DmaCapabilities limits;
    private final long maxLength;

    CopyCheck(Device device, DmaCapabilities limits) {
        this.device = device.info().displayName();
        this.devicePointer = Handles.address(device);
        this.limits = limits;
        this.maxLength = limits.maxBufferSize();
    }

    /**
     * Checks a copy by one task, of the data of a source to the room behind the data of a target, both given by the first
     * elements of their lists.
     *
     * @return how many bytes it copies
     * @throws IllegalArgumentException if the buffers do not fit together, or not to the device, or the target is a list
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

    /** The same for a copy by as many tasks as it takes, whose target may be a list. */
    long checkToList(BufElement source, BufElement target) {
        checkDifferent(source, target);
        checkFree(source, target);
        return checkFit(source, target);
    }

    /**
     * As {@link #check}, for a copy whose buffers others of its graph may use as well, before it or after it: who uses them at
     * the same time is not looked at.
     */
    long checkAlone(BufElement source, BufElement target) {
        checkSingle(target);
        checkDifferent(source, target);
        return checkFit(source, target);
    }

    /** Quick for what is nearly always asked: one buffer to another one, and nothing wrong. */
    private boolean isFine(BufElement source, BufElement target, long length) {
        return source.pointer() != target.pointer()
                && source.isAlone()
                && target.isAlone()
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

    /** Many copies at a time may read a buffer, or one may write to it: its data grows when that one has ended. */
    private static void checkFree(BufElement source, BufElement target) {
        if (target.tasks() > 0) {
            throw new IllegalStateException("The target is used by another copy in flight");
        }
        if (source.isTarget()) {
            throw new IllegalStateException("The source is the target of another copy in flight");
        }
    }

    /** The SDK writes to the first buffer of a list only, and across its end. */
    private static void checkSingle(BufElement target) {
        if (!target.isAlone()) {
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
            checkReachable(element, "source");
            if (element.map().missingToRead() != null) {
                throw new IllegalArgumentException("The source is in " + element.map() + ", whose access lacks "
                        + element.map().missingToRead());
            }
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
            checkReachable(element, "target");
            if (!element.map().isWritable()) {
                throw new IllegalArgumentException("The target is in " + element.map() + ", whose access lacks "
                        + element.map().missingToWrite());
            }
            room += element.tailLength();
        }
        if (room < bytes) {
            throw new IllegalArgumentException(
                    "The target has room for " + room + " bytes behind its data; the source has " + bytes);
        }
    }

    private void checkReachable(BufElement element, String role) {
        element.map().checkAlive();
        if (!element.map().isRegisteredWith(devicePointer)) {
            throw new IllegalArgumentException(
                    "The " + role + " is in " + element.map() + ", which is not registered with " + device);
        }
    }

    /**
     * Refuses a copy that would write over its own source.
     *
     * @param bytes how many bytes it copies
     * @throws IllegalArgumentException if it would
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
                    throw new IllegalArgumentException("The target would be written over the source: " + bytes(from)
                            + " and " + length + " bytes at " + offset(to, to.tail()));
                }
            }
        }
    }

    private static String bytes(BufElement from) {
        return from.dataLength() + " bytes at " + offset(from, from.data());
    }

    private static String offset(BufElement element, long address) {
        return (address - element.map().base()) + " of " + element.map();
    }
}
