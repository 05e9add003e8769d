/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import java.util.Objects;

/**
 * A problem that prevents the use of DOCA or of one of its features.
 *
 * @param what describes the problem, in one sentence or a few lines
 * @param nextStep what to do to solve it, in one or more sentences
 */
public record Problem(String what, String nextStep) {

    /** Checks the components. */
    public Problem {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(nextStep, "nextStep");
    }
}
