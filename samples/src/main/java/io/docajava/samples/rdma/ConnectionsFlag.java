/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.samples.cli.CountConverter;
import io.docajava.samples.cli.SampleException;
import picocli.CommandLine.Option;

/** The flag for the number of connections. */
final class ConnectionsFlag {

    private static final int LIMIT = 8;

    @Option(
            names = {"-nc", "--num-connections"},
            paramLabel = "<number>",
            defaultValue = "1",
            converter = CountConverter.class,
            description = "Number of connections, up to " + LIMIT + ", by default ${DEFAULT-VALUE}")
    private int number;

    /**
     * Returns the number of connections.
     *
     * @throws SampleException if the samples do not have memory for as many
     */
    int get() {
        if (number > LIMIT) {
            throw new SampleException("Max number of connections must be <= [" + LIMIT + "]");
        }
        return number;
    }
}
