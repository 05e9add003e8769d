/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** The states of a prepared task. */
public enum TaskStatus {
    /** The task was not submitted yet, or was part of a graph run that failed and it is not known how the task ended. */
    NEW,
    /** The task is submitted, and its completion is not delivered yet. Its buffers must not be changed or read. */
    IN_FLIGHT,
    /** Its last submission succeeded. */
    SUCCEEDED,
    /** Its last submission failed. */
    FAILED
}
