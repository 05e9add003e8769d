/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Accesses the memory of the process by addresses, without checks. Used where a bounds check would cost as much as the access;
 * the caller must be sure of the address.
 */
public final class UncheckedMemory {

    /** A constant, so that the compiler knows its bounds. */
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private UncheckedMemory() {}

    /** Reads a {@code long}. */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /** Writes a {@code long}. */
    public static void setLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /** Reads {@code count} numbers into the beginning of an array. */
    public static void copy(long address, long[] longs, int count) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_LONG_UNALIGNED, address, longs, 0, count);
    }

    /** Writes the first {@code count} numbers of an array. */
    public static void copy(long[] longs, long address, int count) {
        MemorySegment.copy(longs, 0, ALL, ValueLayout.JAVA_LONG_UNALIGNED, address, count);
    }
}
