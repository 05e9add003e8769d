/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.startup;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A minimal program with a log: it prints one line. */
public final class OneLine {

    private static final Logger LOG = LoggerFactory.getLogger(OneLine.class);

    private OneLine() {}

    /** Prints the line. */
    public static void main(String[] args) {
        LOG.info("ready");
    }
}
