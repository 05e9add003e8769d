/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

/** A sample: a picocli command with flags. The launcher runs it after its flags are parsed. */
public interface Sample {

    /**
     * Runs the sample.
     *
     * @throws SampleException if the sample cannot continue, or its result is wrong
     */
    void run() throws Exception;

    /**
     * Returns whether the sample ends orderly and soon when its thread is interrupted. Signals such as SIGINT then interrupt it.
     */
    default boolean isInterruptible() {
        return false;
    }
}
