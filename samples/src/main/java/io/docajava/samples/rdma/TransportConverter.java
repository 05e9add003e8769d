/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.TransportType;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a transport type, in upper or lower case. */
final class TransportConverter implements ITypeConverter<TransportType> {

    @Override
    public TransportType convert(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "RC" -> TransportType.RC;
            case "DC" -> TransportType.DC;
            default -> throw new TypeConversionException("'" + text + "' is none of RC and DC");
        };
    }
}
