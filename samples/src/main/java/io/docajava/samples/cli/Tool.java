/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

/**
 * A command of the launcher that is no sample: it has flags of its own only, prints to standard output, and gives the exit
 * code of the program.
 */
public interface Tool {

    /** Runs the command, and returns the exit code. */
    int run();
}
