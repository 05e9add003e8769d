/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * One buffer descriptor of an inventory or a pool, mirrored in Java, so that everything can be checked without asking the SDK. It
 * is used again for other buffers when it has returned. One thread uses it: that of its inventory or pool.
 */
public final class BufElement {

    private @Nullable MapState map;
    private long pointer;
    private long head;
    private long length;
    private long data;
    private long dataLength;
    private @Nullable BufElement next;
    private BufElement first = this;
    private BufElement last = this;
    private int elements = 1;
    private int tasks;
    private boolean isTarget;
    private boolean stale;
    private int uses;
    private int changes;
    private int incarnation;

    /** Becomes the mirror of a buffer that was taken from the SDK. */
    public void take(MapState newMap, long newPointer, long address, long newLength, long newDataLength) {
        map = newMap;
        pointer = newPointer;
        head = address;
        length = newLength;
        data = address;
        dataLength = newDataLength;
        next = null;
        first = this;
        last = this;
        elements = 1;
        tasks = 0;
        stale = false;
        changes++;
        incarnation++;
    }

    /** Ends this use: references to it are stale from now on. */
    public void giveBack() {
        MapState held = map();
        map = null;
        next = null;
        first = this;
        last = this;
        elements = 1;
        uses++;
        changes++;
        held.release();
    }

    /** Returns whether it mirrors a buffer now. */
    public boolean isTaken() {
        return map != null;
    }

    /** Which use of this element this is; a reference of another use is stale. */
    public int uses() {
        return uses;
    }

    /** Returns whether it points into a map. Another thread than that of its inventory may get the answer of some time ago. */
    boolean isIn(MapState other) {
        return map == other;
    }

    /** The memory map that it points into. */
    public MapState map() {
        MapState current = map;
        if (current == null) {
            throw new AssertionError("An element that is not taken has no memory map");
        }
        return current;
    }

    /** The pointer to the native {@code doca_buf}. */
    public long pointer() {
        return pointer;
    }

    /**
     * A number that changes each time this element becomes the mirror of a native buffer. Whoever gave the SDK the buffer of this
     * element can omit that only while the number is the same: the SDK hands the same pointer out again for another buffer,
     * perhaps in another map, and keeps what it has read from the one before, such as the key of the map.
     */
    public int incarnation() {
        return incarnation;
    }

    /** The address of the first byte of its range. */
    public long head() {
        return head;
    }

    /** The length of its range in bytes. */
    public long length() {
        return length;
    }

    /** The address of the first byte of the data segment. */
    public long data() {
        return data;
    }

    /** The length of the data segment in bytes. */
    public long dataLength() {
        return dataLength;
    }

    /** The address of the first byte behind the data segment, where a task writes. */
    public long tail() {
        return data + dataLength;
    }

    /** Returns the number of bytes behind the data segment. */
    public long tailLength() {
        return head + length - tail();
    }

    /** Mirrors a new range of the same map, whose data segment begins where it begins. */
    public void aim(long address, long newLength, long newDataLength) {
        head = address;
        length = newLength;
        data = address;
        dataLength = newDataLength;
        stale = false;
        changes++;
    }

    /** Mirrors another native buffer from now on, which took the place of the one that was returned. */
    public void replace(long newPointer) {
        pointer = newPointer;
        changes++;
        incarnation++;
    }

    /** Sets the data segment, of which the SDK learns when a task uses the buffer: until then it is stale there. */
    public void setData(long address, long newLength) {
        data = address;
        dataLength = newLength;
        stale = true;
        changes++;
    }

    /** Empties the data segment, of which the SDK learns in the same way. */
    public void clear() {
        dataLength = 0;
        stale = true;
    }

    /**
     * A number that is another one after all changes, but for those of the length of the data segment by {@link #clear}
     * and {@link #grow}, and of which tasks use it.
     */
    public int changes() {
        return changes;
    }

    /** Returns whether the SDK has another data segment than this one. */
    public boolean isStale() {
        return stale;
    }

    /** The SDK has the data segment, or gets it with a task that is noted. */
    public void markUpdated() {
        stale = false;
    }

    /** As {@link #markUpdated()}, for all of the list of this first element. */
    public void markListUpdated() {
        for (BufElement element = this; element != null; element = element.next) {
            element.stale = false;
        }
    }

    /** The SDK may not have the data segments after all: they are set again before the next task uses the list of this first element. */
    public void markListStale() {
        for (BufElement element = this; element != null; element = element.next) {
            element.stale = true;
        }
    }

    /** The next element of the list, or null. */
    public @Nullable BufElement next() {
        return next;
    }

    /** The first element of the list that this is part of. */
    public BufElement first() {
        return first;
    }

    /** Returns whether it stands for a list: its own one of one element, or a longer one. */
    public boolean isFirst() {
        return first == this;
    }

    /** Returns whether it is in no list but its own one of one element. */
    public boolean isAlone() {
        return first == this && next == null;
    }

    /** Returns the number of elements in the list that begins with this element. */
    public int elements() {
        return elements;
    }

    /** Appends a list to the list of this first element. */
    public void append(BufElement list) {
        last.next = list;
        changes++;
        for (BufElement element = list; element != null; element = element.next) {
            element.first = this;
            element.changes++;
        }
        last = list.last;
        elements += list.elements;
    }

    /** Takes this element, which is not the first of its list, and those behind it off it: they become a list. */
    public void detach() {
        BufElement list = first;
        BufElement before = list;
        int count = 0;
        for (BufElement element = list; element != null && element != this; element = element.next) {
            before = element;
            count++;
        }
        before.next = null;
        last = list.last;
        elements = list.elements - count;
        list.last = before;
        list.elements = count;
        list.changes++;
        for (BufElement element = this; element != null; element = element.next) {
            element.first = this;
            element.changes++;
        }
    }

    /** The number of bytes in the data segments of the list of this first element. */
    public long listDataLength() {
        long total = 0;
        for (BufElement element = this; element != null; element = element.next) {
            total += element.dataLength;
        }
        return total;
    }

    /** The number of bytes behind the data segments of the list of this first element. */
    public long listTailLength() {
        long total = 0;
        for (BufElement element = this; element != null; element = element.next) {
            total += element.tailLength();
        }
        return total;
    }

    /** Mirrors what a task wrote behind the data segments, filling the elements of the list in order. */
    public void grow(long bytes) {
        long left = bytes;
        for (BufElement element = this; element != null && left > 0; element = element.next) {
            long here = Math.min(left, element.tailLength());
            element.dataLength += here;
            left -= here;
        }
    }

    /** Takes {@link #grow} back for this one element, whose data had that length before. */
    void shrink(long before) {
        dataLength = before;
    }

    /** One more task in flight uses the list of this first element: it stays as it is until {@link #release()}. */
    public void acquire() {
        tasks++;
    }

    /** A task that used the list of this first element has ended. */
    public void release() {
        tasks--;
    }

    /** As {@link #acquire()}, for a task that writes behind the data of the list. */
    public void acquireAsTarget() {
        tasks++;
        isTarget = true;
    }

    /** Takes {@link #acquireAsTarget()} back for this element without a list, whose data have grown. */
    public void releaseGrown(long bytes) {
        dataLength += bytes;
        tasks = 0;
        isTarget = false;
    }

    /** Takes {@link #acquireAsTarget()} back. */
    public void releaseAsTarget() {
        tasks--;
        isTarget = false;
    }

    /**
     * Returns whether a task in flight writes behind the data of the list of this first element, which grows when it has
     * ended.
     */
    public boolean isTarget() {
        return isTarget;
    }

    /** Returns the number of tasks in flight that use the list that begins with this element. */
    public int tasks() {
        return tasks;
    }
}
