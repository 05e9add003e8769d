/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.DocaException;
import io.docajava.core.memory.HugePageSize;
import io.docajava.core.memory.HugePagesException;
import io.docajava.ffi.linux.HugePages;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;

/** Allocates memory in huge pages for a map. */
public final class HugePageMemory {

    /** More pages than any machine has. For such a request the message does not suggest to add pages. */
    private static final long MANY = 1L << 30;

    private HugePageMemory() {}

    /** Allocates whole pages, zeroed, which are freed when the arena is closed. */
    public static MemorySegment allocate(Arena arena, long bytes, HugePageSize size) {
        List<HugePageSize> supported = HugePageSize.supported();
        if (!supported.contains(size)) {
            throw new IllegalArgumentException("This machine has no huge pages of " + size + ", but "
                    + (supported.isEmpty() ? "none" : of(supported)));
        }
        long pages = Math.ceilDiv(bytes, size.bytes());
        if (pages > Long.MAX_VALUE / size.bytes()) {
            throw new HugePagesException(tooFew(bytes, size, pages, "no address space has so many"));
        }
        try {
            return HugePages.map(pages * size.bytes(), size.bytes(), arena);
        } catch (DocaException e) {
            throw new HugePagesException(tooFew(bytes, size, pages, String.valueOf(e.getMessage())), e);
        }
    }

    private static String of(List<HugePageSize> sizes) {
        return sizes.stream().map(HugePageSize::toString).collect(Collectors.joining(" and ", "of ", ""));
    }

    private static String tooFew(long bytes, HugePageSize size, long pages, String reason) {
        long free = size.free();
        return "There are not enough huge pages of " + size + " for an Mmap of " + bytes + " bytes, which takes "
                + pages + ": " + free + " of " + size.total() + " are free; "
                + (pages > free && pages < MANY ? more(size, pages - free) : reason);
    }

    /** Returns the command by which root adds huge pages. */
    private static String more(HugePageSize size, long missing) {
        long wanted = size.total() + missing;
        return size.equals(HugePageSize.systemDefault())
                ? "root makes more by sysctl vm.nr_hugepages=" + wanted
                : "root makes more by writing " + wanted + " to " + size.totalFile();
    }
}
