/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import io.docajava.DocaException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Distinguishes memory that stays valid while it is reachable from memory that may be freed at any time. Java has no method for
 * that, but the global arena has one scope, and the scopes of automatic arenas have a class of their own; no class outside the
 * JDK can be a scope.
 *
 * <p>The memory of a direct {@link java.nio.ByteBuffer} does not count as lasting, since allocators of buffers may free it
 * explicitly.
 */
public final class MemoryLife {

    private static final MemorySegment.Scope GLOBAL = Arena.global().scope();
    private static final Class<?> AUTO = Arena.ofAuto().scope().getClass();
    /** False in a JDK whose scope classes do not differ. Then only the global arena counts as lasting. */
    private static final boolean IS_AUTO_KNOWN = isAutoKnown();

    private MemoryLife() {}

    /**
     * Returns whether only the garbage collector can free native memory: it is of {@link Arena#global()} or {@link
     * Arena#ofAuto()}.
     */
    public static boolean isLasting(MemorySegment memory) {
        MemorySegment.Scope scope = memory.scope();
        return scope.equals(GLOBAL) || (IS_AUTO_KNOWN && AUTO.isInstance(scope));
    }

    /**
     * Returns whether some of the memory is of a mapped file, so that it is lost when the file is truncated. {@link
     * MemorySegment#isMapped()} is false for views such as {@link java.nio.ByteBuffer#asLongBuffer()}, but the kernel knows their
     * mapping.
     *
     * @throws DocaException if the mappings cannot be read, for example because too many files are open
     */
    public static boolean isOfFile(MemorySegment memory) {
        return memory.isMapped() || isOfFile(memory.address(), memory.byteSize());
    }

    private static boolean isOfFile(long address, long length) {
        try (InputStream text = new FileInputStream("/proc/self/maps")) {
            return new MappingList(text).isAnyOfFile(address, address + length);
        } catch (IOException e) {
            throw new DocaException(
                    "/proc/self/maps, which shows whether memory is of a mapped file, cannot be read: " + e, e);
        }
    }

    private static boolean isAutoKnown() {
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            return !AUTO.isInstance(confined.scope()) && !AUTO.isInstance(shared.scope()) && !AUTO.isInstance(GLOBAL);
        }
    }
}
