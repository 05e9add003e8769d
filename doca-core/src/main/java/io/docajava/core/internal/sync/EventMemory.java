/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.internal.memory.MemoryLife;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory that holds the value of a sync event: given by the user, or shared by two events. */
final class EventMemory {

    private static final long SIZE = Long.BYTES;

    private final MemorySegment memory;
    private final boolean freeable;

    private EventMemory(MemorySegment memory) {
        this.memory = memory;
        this.freeable = !MemoryLife.isLasting(memory);
    }

    /** Returns memory that cannot be freed while it is reachable. */
    static EventMemory lasting(MemorySegment memory) {
        if (memory.isNative() && !MemoryLife.isLasting(memory)) {
            throw new IllegalArgumentException(
                    "This memory could be freed while it holds a sync event, as it is neither of the global nor of an"
                            + " automatic arena: let the event have its own memory, or use memoryUnchecked and keep the memory"
                            + " until the event is closed");
        }
        if (memory.isNative() && MemoryLife.isOfFile(memory)) {
            throw new IllegalArgumentException(
                    "This memory is of a mapped file, and is lost if the file is truncated: use"
                            + " memoryUnchecked and keep the file as it is until the event is closed");
        }
        return unchecked(memory);
    }

    /** Returns new memory that is freed when it is unreachable. */
    static EventMemory allocate() {
        return new EventMemory(Arena.ofAuto().allocate(JAVA_LONG));
    }

    /** Returns memory that the user promises not to free. */
    static EventMemory unchecked(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "Heap memory cannot hold a sync event: that needs memory that does not move");
        }
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("A read-only segment cannot hold a sync event");
        }
        if (memory.address() == 0) {
            throw new IllegalArgumentException("The NULL address cannot hold a sync event");
        }
        if (memory.byteSize() != SIZE) {
            throw new IllegalArgumentException(
                    "The memory of a sync event has " + SIZE + " bytes, and not " + memory.byteSize());
        }
        if (memory.address() % SIZE != 0) {
            throw new IllegalArgumentException("The memory of a sync event begins at an address divisible by " + SIZE
                    + ", and not at 0x" + Long.toHexString(memory.address()));
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("The memory for a sync event was freed");
        }
        if (!memory.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalStateException("The memory for a sync event is of the confined arena of another thread");
        }
        return new EventMemory(memory);
    }

    MemorySegment segment() {
        return memory;
    }

    /** Refuses memory that the user has freed against the promise; {@code event} names the event in the message. */
    void checkAlive(Object event) {
        if (freeable && !memory.scope().isAlive()) {
            throw new IllegalStateException("The memory of " + event + " was freed while it held the event");
        }
    }
}
