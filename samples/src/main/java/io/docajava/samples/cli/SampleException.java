/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

/** A sample cannot do its work, for a reason that its user can read and act on. */
public final class SampleException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public SampleException(String message) {
        super(message);
    }
}
