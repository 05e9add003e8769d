/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the number of a port. */
final class PortConverter implements ITypeConverter<Integer> {

    private static final int LIMIT = 65535;

    @Override
    public Integer convert(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= LIMIT) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            // Handled below, with the same message.
        }
        throw new TypeConversionException("'" + text + "' is not a port, which is a number from 1 to " + LIMIT);
    }
}
