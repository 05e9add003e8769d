/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** The states of a prepared task. */
public enum TaskStatus {
    /** The task has not been submitted yet, or was part of a failed graph run and its result is unknown. */
    NEW,
    /** The task is submitted, and its completion has not been delivered yet. Its buffers must not be changed or read. */
    IN_FLIGHT,
    /** Its last submission succeeded. */
    SUCCEEDED,
    /** Its last submission failed. */
    FAILED
}
