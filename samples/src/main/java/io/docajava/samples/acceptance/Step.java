/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

/**
 * One step of the run.
 *
 * @param name what was tried
 * @param outcome how it ended
 * @param seconds its duration
 * @param detail the last line of its output, or the reason of a skip
 */
record Step(String name, Outcome outcome, double seconds, String detail) {

    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    static Step skipped(String name, String reason) {
        return new Step(name, Outcome.SKIPPED, 0, reason);
    }
}
