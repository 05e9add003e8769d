/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** The states of a prepared task. */
public enum TaskStatus {
    /** The task was not submitted since its context prepared it. */
    NEW,
    /** The task is submitted, and its completion is not delivered yet. Its buffers must not be changed or read. */
    IN_FLIGHT,
    /** Its last submission succeeded. */
    SUCCEEDED,
    /** Its last submission failed. */
    FAILED
}
