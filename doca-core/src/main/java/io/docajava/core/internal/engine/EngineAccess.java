/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.engine;

import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The way for doca-java's own modules behind the public types of progress, opened by {@link ProgressEngine}. */
public abstract class EngineAccess {

    private static volatile @Nullable EngineAccess instance;

    /** The inside of an engine. */
    public static EngineCore core(ProgressEngine engine) {
        return instance().coreOf(Objects.requireNonNull(engine, "engine"));
    }

    /** Creates a future that work of an engine will complete. */
    public static <T> Completion<T> completion(ProgressEngine engine) {
        return instance().newCompletion(engine);
    }

    /** Called once, by the static initialiser of {@link ProgressEngine}, before there is any engine. */
    public static void open(EngineAccess access) {
        instance = access;
    }

    protected abstract EngineCore coreOf(ProgressEngine engine);

    protected abstract <T> Completion<T> newCompletion(ProgressEngine engine);

    private static EngineAccess instance() {
        return Objects.requireNonNull(instance);
    }
}
