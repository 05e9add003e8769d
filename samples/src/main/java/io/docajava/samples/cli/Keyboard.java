/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import java.io.IOException;

/** The keyboard, on which a user presses enter to continue a sample. */
public final class Keyboard {

    private Keyboard() {}

    /**
     * Waits until enter is pressed.
     *
     * @param doubt the consequence of a missing enter, which follows "and" in the message: {@code "the DPU may not have finished"}
     * @throws SampleException if the input ends before
     */
    public static void awaitEnter(String doubt) throws IOException {
        int key;
        do {
            key = System.in.read();
            if (key < 0) {
                throw new SampleException("The input ended before enter was pressed, and " + doubt
                        + ": run this in a terminal, or with an input that stays open");
            }
        } while (key != '\r' && key != '\n');
    }
}
