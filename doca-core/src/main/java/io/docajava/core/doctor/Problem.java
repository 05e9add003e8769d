/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import java.util.Objects;

/**
 * Something that keeps DOCA, or a part of it, from being used here.
 *
 * @param what is wrong, in one sentence or a few lines
 * @param nextStep what to do about it
 */
public record Problem(String what, String nextStep) {

    /** Checks the components. */
    public Problem {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(nextStep, "nextStep");
    }
}
