/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.context;

/** States of a reusable task. */
public enum TaskStatus {
    /** Never submitted since it was taken from its context. */
    NEW,
    /** Submitted, and its completion not delivered yet. Its buffers must be left alone. */
    IN_FLIGHT,
    /** Its last submission succeeded. */
    SUCCEEDED,
    /** Its last submission failed. */
    FAILED
}
