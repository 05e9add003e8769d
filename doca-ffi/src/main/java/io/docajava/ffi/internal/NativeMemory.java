/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Memory that native code owns. The other modules may not create such segments themselves. */
public final class NativeMemory {

    /** Longer than any text of the SDK; limits the search for a missing terminator. */
    private static final long MAX_STRING = 64 * 1024;

    private NativeMemory() {}

    /**
     * Returns a view of native memory. It is valid until its native owner frees the memory, which is not checked.
     *
     * @param address of the first byte
     * @param size in bytes, 0 or more
     */
    public static MemorySegment ofAddress(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    /** Returns the pointers of a C array. */
    public static List<MemorySegment> pointers(long address, int count) {
        return ofAddress(address, count * ADDRESS.byteSize())
                .elements(ADDRESS)
                .map(element -> element.get(ADDRESS, 0))
                .toList();
    }

    /** Returns a C string, decoded as UTF-8; empty for a null pointer. */
    public static String string(long address) {
        return string(address, MAX_STRING);
    }

    /**
     * Returns a C string, decoded as UTF-8; empty for a null pointer.
     *
     * @param limit the size of the memory in bytes; without a terminator, the whole memory is the text
     */
    public static String string(long address, long limit) {
        if (address == 0) {
            return "";
        }
        MemorySegment text = ofAddress(address, limit);
        long length = 0;
        while (length < limit && text.get(JAVA_BYTE, length) != 0) {
            length++;
        }
        return new String(text.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
