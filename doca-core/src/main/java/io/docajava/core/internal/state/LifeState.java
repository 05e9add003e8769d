/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.state;

import io.docajava.core.context.ContextState;
import java.util.Locale;

/**
 * The states in the life of a context. {@link ContextLife} changes them as this table says; all other changes are those that it reads
 * from the SDK.
 *
 * <table>
 * <caption>Changes of the state</caption>
 * <tr><th>event</th><th>from</th><th>to</th></tr>
 * <tr><td>{@code doca_ctx_start} succeeds</td><td>idle</td><td>running, or starting until the SDK reports more</td></tr>
 * <tr><td>{@code doca_ctx_stop} succeeds, or a task has failed</td><td>starting, running</td><td>stopping while tasks are in
 * flight, idle after that</td></tr>
 * <tr><td>{@code doca_ctx_stop} is refused because of tasks in flight</td><td>running</td><td>stop refused</td></tr>
 * <tr><td>the SDK's state is read as running</td><td>stop refused</td><td>stop refused</td></tr>
 * <tr><td>the last task in flight has ended</td><td>stop refused</td><td>stopping, and {@code doca_ctx_stop} is called again</td></tr>
 * <tr><td>the SDK's state is read</td><td>any other</td><td>that state</td></tr>
 * </table>
 */
enum LifeState {
    IDLE(ContextState.IDLE),
    STARTING(ContextState.STARTING),
    RUNNING(ContextState.RUNNING),
    /** Release 2.5 fails all tasks of a sync event when it is stopped, but leaves its context running. */
    STOP_REFUSED(ContextState.STOPPING),
    STOPPING(ContextState.STOPPING);

    private final ContextState shown;

    LifeState(ContextState shown) {
        this.shown = shown;
    }

    static LifeState of(ContextState state) {
        return switch (state) {
            case IDLE -> IDLE;
            case STARTING -> STARTING;
            case RUNNING -> RUNNING;
            case STOPPING -> STOPPING;
        };
    }

    /** Returns the state after the SDK's state was read. */
    LifeState read(ContextState sdk) {
        return this == STOP_REFUSED && sdk == ContextState.RUNNING ? this : of(sdk);
    }

    /** Returns the state that users see. */
    ContextState shown() {
        return shown;
    }

    /** Returns the state that users see, in lower case for messages. */
    String words() {
        return shown.name().toLowerCase(Locale.ROOT);
    }

    boolean canStop() {
        return this == STARTING || this == RUNNING;
    }

    boolean isInTransition() {
        return this != IDLE && this != RUNNING;
    }
}
