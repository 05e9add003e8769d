/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

/** Thrown if a sample cannot continue. The message is for the user of the sample. */
public final class SampleException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public SampleException(String message) {
        super(message);
    }
}
