/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import org.jspecify.annotations.Nullable;

/**
 * The Java mirror of one native buffer ({@code doca_buf}) of an inventory or a pool. Operations read it to check their arguments
 * without native calls. The inventory or pool reuses it for another buffer after {@link #giveBack}. Only the thread of the
 * inventory or pool uses it.
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

    /** Makes this the mirror of a buffer that was taken from the SDK. */
    public void take(MapState newMap, long newPointer, long address, long newLength, long newDataLength) {
        map = newMap;
        pointer = newPointer;
        tasks = 0;
        incarnation++;
        aim(address, newLength, newDataLength);
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

    public boolean isTaken() {
        return map != null;
    }

    /** Returns the number of the current use of this element. A reference from another use is stale. */
    public int uses() {
        return uses;
    }

    /** Returns whether it points into a map. Threads other than that of its inventory may get an outdated answer. */
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
     * Returns a number that changes each time this element becomes the mirror of a native buffer. A caller that has set the buffer in
     * a native task must set it again when the number has changed, even if the pointer is equal: the SDK reuses pointers for other
     * buffers, perhaps in another map, and the task keeps data of the earlier buffer, such as the key of its map.
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

    /** Returns an address in the memory of this buffer as its offset in the map, for messages. */
    public String place(long address) {
        return map().place(address);
    }

    /** Mirrors a new range of the same map. The data segment starts at the start of the range. */
    public void aim(long address, long newLength, long newDataLength) {
        head = address;
        length = newLength;
        data = address;
        dataLength = newDataLength;
        stale = false;
        changes++;
    }

    /** Mirrors another native buffer, which replaces the returned one. */
    public void replace(long newPointer) {
        pointer = newPointer;
        changes++;
        incarnation++;
    }

    /** Sets the data segment in Java. It is set in the SDK when a task uses the buffer, and is stale there until then. */
    public void setData(long address, long newLength) {
        data = address;
        dataLength = newLength;
        stale = true;
        changes++;
    }

    /** Empties the data segment in Java, like {@link #setData}. */
    public void clear() {
        dataLength = 0;
        stale = true;
    }

    /**
     * Returns a number that differs after each change, except for changes of the data length by {@link #clear} and {@link #grow} and
     * changes of the tasks that use this element.
     */
    public int changes() {
        return changes;
    }

    /** Returns whether the data segment in the SDK differs from this one. */
    public boolean isStale() {
        return stale;
    }

    /** Marks the data segment as set in the SDK, or as set by a recorded command. */
    public void markUpdated() {
        stale = false;
    }

    /** Calls {@link #markUpdated()} for all elements of the list of this first element. */
    public void markListUpdated() {
        for (BufElement element = this; element != null; element = element.next) {
            element.stale = false;
        }
    }

    /** Marks the data segments of the list of this first element as stale. They are set again before the next task uses the list. */
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

    /** Returns whether it is the first element of a list, which may have only one element. */
    public boolean isFirst() {
        return first == this;
    }

    /** Returns whether it is the only element of its list. */
    public boolean isSingle() {
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
        list.moveTo(this);
        last = list.last;
        elements += list.elements;
    }

    /** Splits the list before this element, which is not the first one. This element and those behind it become a new list. */
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
        moveTo(this);
    }

    /** Makes this element and those behind it parts of the list with the given first element. */
    private void moveTo(BufElement list) {
        for (BufElement element = this; element != null; element = element.next) {
            element.first = list;
            element.changes++;
        }
    }

    /** The number of bytes behind the data segments of the list of this first element. */
    public long listTailLength() {
        long total = 0;
        for (BufElement element = this; element != null; element = element.next) {
            total += element.tailLength();
        }
        return total;
    }

    /** Adds the bytes that a task wrote behind the data segments. The elements of the list are filled in order. */
    public void grow(long bytes) {
        long left = bytes;
        for (BufElement element = this; element != null && left > 0; element = element.next) {
            long here = Math.min(left, element.tailLength());
            element.dataLength += here;
            left -= here;
        }
    }

    /** Undoes {@link #grow} for this element, whose data had the given length before. */
    void shrink(long before) {
        dataLength = before;
    }

    /** Counts a task in flight that uses the list of this first element. The list does not change until {@link #release()}. */
    public void acquire() {
        tasks++;
    }

    /** Ends the use that {@link #acquire()} has counted. */
    public void release() {
        tasks--;
    }

    /** Like {@link #acquire()}, for a task that writes behind the data of the list. */
    public void acquireAsTarget() {
        tasks++;
        isTarget = true;
    }

    /** Undoes {@link #acquireAsTarget()} for this single element and grows its data. */
    public void releaseGrown(long bytes) {
        dataLength += bytes;
        tasks = 0;
        isTarget = false;
    }

    /** Undoes {@link #acquireAsTarget()}. */
    public void releaseAsTarget() {
        tasks--;
        isTarget = false;
    }

    /** Returns whether a task in flight writes behind the data of the list of this first element. */
    public boolean isTarget() {
        return isTarget;
    }

    /** Returns the number of tasks in flight that use the list that begins with this element. */
    public int tasks() {
        return tasks;
    }
}
