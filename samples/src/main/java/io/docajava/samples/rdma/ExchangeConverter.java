/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.exchange.DescriptorExchange;
import java.net.SocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the address of a descriptor exchange. */
final class ExchangeConverter implements ITypeConverter<SocketAddress> {

    @Override
    public SocketAddress convert(String text) {
        try {
            return DescriptorExchange.address(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
