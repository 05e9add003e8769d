/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells memory that stays as long as somebody refers to it from memory that can be freed at any time. Java has no method
 * that says so, but each kind of arena has scopes of its own class, and no class outside of the JDK can be a scope.
 */
public final class MemoryLife {

    private static final Set<Class<?>> LASTING = lastingScopes();

    private MemoryLife() {}

    /**
     * Whether nobody can free native memory that is referred to: it is of {@link Arena#global()} or {@link
     * Arena#ofAuto()}, or of a direct {@link ByteBuffer} that is no view of a closeable arena.
     */
    public static boolean isLasting(MemorySegment memory) {
        return LASTING.contains(memory.scope().getClass());
    }

    /** Nothing is taken for lasting in a JDK where the classes tell no difference. */
    private static Set<Class<?>> lastingScopes() {
        Set<Class<?>> scopes = new HashSet<>();
        scopes.add(Arena.global().scope().getClass());
        scopes.add(Arena.ofAuto().scope().getClass());
        scopes.add(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(1)).scope().getClass());
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            scopes.remove(confined.scope().getClass());
            scopes.remove(shared.scope().getClass());
        }
        return Set.copyOf(scopes);
    }
}
