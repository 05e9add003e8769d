/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** The states of a context ({@code enum doca_ctx_states}). */
public enum ContextState {
    /** Not started, or stopped. {@link Context#restart()} starts an idle context again. */
    IDLE,
    /** Starting. Contexts of some libraries need progress to complete their start. */
    STARTING,
    /** Accepts tasks. */
    RUNNING,
    /** Stopping, by request or after a fatal failure. The context accepts no more tasks, and progress ends those in flight. */
    STOPPING;

    private static final ContextState[] BY_CODE = values();

    /**
     * Returns the state of a number in the C ABI.
     *
     * @param code from 0 to 3, in the order of these constants
     * @return the state
     * @throws IllegalArgumentException if DOCA has no such state
     */
    public static ContextState of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("Not a context state of DOCA: " + code);
        }
        return BY_CODE[code];
    }
}
