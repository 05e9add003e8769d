/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The memory that copies are measured in, in Java as in C ({@code region.c}): in transparent huge pages, where Linux has
 * them. Which physical pages a process gets decides how well small ones fit into the caches, and that would be seen as a
 * difference between Java and C.
 */
public final class BenchMemory {

    private static final long HUGE_PAGE = 2 << 20;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;

    @SuppressWarnings("restricted") // a benchmark may call C
    private static final MethodHandle MADVISE = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("madvise"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

    private BenchMemory() {}

    /** Memory that lasts as long as it is referred to, filled with zeros. */
    public static MemorySegment allocate(long bytes) {
        long wholePages = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        MemorySegment memory = Arena.ofAuto().allocate(wholePages, HUGE_PAGE);
        advise(memory, MADV_HUGEPAGE);
        // The arena has written its zeros to small pages: they go, and huge ones come with the next write.
        advise(memory, MADV_DONTNEED);
        return memory.asSlice(0, bytes);
    }

    private static void advise(MemorySegment memory, int advice) {
        try {
            // Where there are no such pages the memory stays as it is, which is no failure.
            int ignored = (int) MADVISE.invokeExact(memory, memory.byteSize(), advice);
        } catch (Throwable failure) {
            throw new IllegalStateException("madvise cannot be called", failure);
        }
    }
}
