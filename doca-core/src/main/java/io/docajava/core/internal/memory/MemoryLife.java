/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells memory that stays as long as somebody refers to it from memory that may be freed at any time. Java has no method
 * that says so, but the global arena has one scope, and the scopes of automatic arenas have a class of their own; no class
 * outside of the JDK can be a scope.
 *
 * <p>The memory of a direct {@link java.nio.ByteBuffer} cannot be distinguished from memory that its maker frees behind Java's back,
 * as allocators of buffers do, and so is not taken for lasting.
 */
public final class MemoryLife {

    private static final MemorySegment.Scope GLOBAL = Arena.global().scope();
    private static final Class<?> AUTO = Arena.ofAuto().scope().getClass();
    /** False in a JDK whose classes show no difference: then nothing but the global arena is taken for lasting. */
    private static final boolean IS_AUTO_KNOWN = isAutoKnown();

    private MemoryLife() {}

    /** True for native memory that only the garbage collector can free: of {@link Arena#global()} or {@link Arena#ofAuto()}. */
    public static boolean isLasting(MemorySegment memory) {
        MemorySegment.Scope scope = memory.scope();
        return scope.equals(GLOBAL) || (IS_AUTO_KNOWN && AUTO.isInstance(scope));
    }

    /**
     * True if some of the memory is that of a file, and is lost when the file is truncated. {@link MemorySegment#isMapped()}
     * does not know it of views such as {@link java.nio.ByteBuffer#asLongBuffer()}; the kernel does.
     */
    public static boolean isOfFile(MemorySegment memory) {
        return memory.isMapped() || isOfFile(memory.address(), memory.byteSize());
    }

    /** Memory that the kernel does not describe is taken for that of a file. */
    private static boolean isOfFile(long address, long length) {
        try (BufferedReader maps = Files.newBufferedReader(Path.of("/proc/self/maps"))) {
            for (String line = maps.readLine(); line != null; line = maps.readLine()) {
                // address-address permissions offset device inode path
                String[] columns = line.split(" +", 6);
                String[] range = columns[0].split("-", 2);
                boolean overlaps = Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address + length) < 0
                        && Long.compareUnsigned(Long.parseUnsignedLong(range[1], 16), address) > 0;
                if (overlaps && !columns[4].equals("0")) {
                    return true;
                }
            }
            return false;
        } catch (IOException unknown) {
            return true;
        }
    }

    private static boolean isAutoKnown() {
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            return !AUTO.isInstance(confined.scope()) && !AUTO.isInstance(shared.scope()) && !AUTO.isInstance(GLOBAL);
        }
    }
}
