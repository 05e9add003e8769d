/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

/** A sample: a picocli command with the sample's own flags, which the launcher runs after they are read. */
public interface Sample {

    /**
     * Does the work.
     *
     * @throws SampleException if the sample found that it cannot go on, or that its result is wrong
     */
    void run() throws Exception;

    /** Returns whether it soon ends in an orderly way when its thread is interrupted, which a signal to end does then. */
    default boolean isInterruptible() {
        return false;
    }
}
