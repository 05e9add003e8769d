/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** The states of a context, {@code enum doca_ctx_states}. */
public enum ContextState {
    /** Not started, or stopped. Only an idle context can be started again or closed. */
    IDLE,
    /** Starting, where the library takes time for it; progress finishes the start. */
    STARTING,
    /** Takes tasks. */
    RUNNING,
    /** Stopping, by request or after a fatal failure: takes no more tasks, and progress ends those in flight. */
    STOPPING;

    private static final ContextState[] BY_CODE = values();

    /**
     * The state for a value of the C enumeration, whose order this one keeps.
     *
     * @throws IllegalArgumentException if DOCA knows no such state
     */
    public static ContextState of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("Not a context state of DOCA: " + code);
        }
        return BY_CODE[code];
    }
}
