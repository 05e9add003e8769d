/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.RdmaAddress;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the type of an address, in upper or lower case. */
final class AddressTypeConverter implements ITypeConverter<RdmaAddress.Type> {

    @Override
    public RdmaAddress.Type convert(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "ip4", "ipv4" -> RdmaAddress.Type.IPV4;
            case "ip6", "ipv6" -> RdmaAddress.Type.IPV6;
            case "gid" -> RdmaAddress.Type.GID;
            default -> throw new TypeConversionException("'" + text + "' is none of ip4, ipv4, ip6, ipv6 and gid");
        };
    }
}
