/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import io.docajava.DocaException;
import io.docajava.ffi.internal.NativeAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Anonymous memory in huge pages ({@code mmap} with {@code MAP_HUGETLB}). */
public final class HugePages {

    private HugePages() {}

    /**
     * Maps zeroed huge pages until an arena is closed. All of them are allocated when this returns. A page that is missing at its
     * first use would crash the process.
     *
     * @param bytes a multiple of the page size
     * @param pageSize the page size in bytes, a power of two
     * @param arena the arena that unmaps them
     * @throws DocaException if the system refuses, for example because it does not have enough
     */
    public static MemorySegment map(long bytes, long pageSize, Arena arena) {
        NativeAccess.require();
        try (Arena scratch = Arena.ofConfined()) {
            LinuxCalls calls = new LinuxCalls(scratch);
            long address = calls.mapHugePages(bytes, Long.numberOfTrailingZeros(pageSize));
            try {
                calls.populate(address, bytes);
                return MemorySegment.ofAddress(address).reinterpret(bytes, arena, HugePages::unmap);
            } catch (RuntimeException e) {
                calls.unmap(address, bytes);
                throw e;
            }
        }
    }

    private static void unmap(MemorySegment memory) {
        try (Arena scratch = Arena.ofConfined()) {
            new LinuxCalls(scratch).unmap(memory.address(), memory.byteSize());
        }
    }
}
