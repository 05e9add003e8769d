/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.docajava.ffi.internal.Platform;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory for {@code struct epoll_event}, which is packed on x86_64 and nowhere else. */
final class EpollEvents {

    private static final int EPOLLIN = 1;

    private final long dataOffset;
    private final long size;
    private final MemorySegment memory;
    private final MemorySegment single;

    EpollEvents(Platform platform, Arena arena, int count) {
        dataOffset = platform.name().equals("x86_64") ? Integer.BYTES : Long.BYTES;
        size = dataOffset + Long.BYTES;
        memory = arena.allocate(count * size, Long.BYTES);
        single = arena.allocate(size, Long.BYTES);
    }

    /** Returns the memory to which the system writes events. */
    MemorySegment memory() {
        return memory;
    }

    /** Returns the registration of a descriptor; valid until the next call. */
    MemorySegment toAdd(int descriptor) {
        single.set(JAVA_INT_UNALIGNED, 0, EPOLLIN);
        single.set(JAVA_LONG_UNALIGNED, dataOffset, descriptor);
        return single;
    }

    /** Returns the descriptor of an event. */
    int descriptor(int index) {
        return (int) memory.get(JAVA_LONG_UNALIGNED, index * size + dataOffset);
    }
}
