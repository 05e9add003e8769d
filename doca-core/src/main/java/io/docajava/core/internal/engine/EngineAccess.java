/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives doca-java's own modules access to the internals of {@link ProgressEngine}, which registers an instance before the first
 * engine exists.
 */
public abstract class EngineAccess {

    private static volatile @Nullable EngineAccess instance;

    /** Returns the implementation of an engine. */
    public static EngineCore core(ProgressEngine engine) {
        Objects.requireNonNull(engine, "engine");
        return instance().coreOf(engine);
    }

    /** Creates a future that an operation of the engine will complete. */
    public static <T> Completion<T> completion(ProgressEngine engine) {
        return instance().newCompletion(engine);
    }

    /** Returns the engine of a loop. */
    public static ProgressEngine engine(ProgressLoop loop) {
        Objects.requireNonNull(loop, "loop");
        return instance().engineOf(loop);
    }

    /** Registers an instance; all instances do the same. */
    public static void open(EngineAccess access) {
        instance = access;
    }

    protected abstract EngineCore coreOf(ProgressEngine engine);

    protected abstract ProgressEngine engineOf(ProgressLoop loop);

    protected abstract <T> Completion<T> newCompletion(ProgressEngine engine);

    private static EngineAccess instance() {
        return Objects.requireNonNull(instance, "no engine was created");
    }
}
