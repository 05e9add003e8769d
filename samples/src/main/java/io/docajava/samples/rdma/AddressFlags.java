/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.RdmaAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for connections by address. A process with the address of a server is a client. */
final class AddressFlags {

    @Option(
            names = {"-lp", "--listen-port"},
            paramLabel = "<port>",
            defaultValue = "13579",
            converter = PortConverter.class,
            description = "Port that the server listens to, by default ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = {"-sa", "--server-addr"},
            paramLabel = "<address>",
            description = "Address of the server's device, which makes this the client")
    private @Nullable String address;

    @Option(
            names = {"-sat", "--server-addr-type"},
            paramLabel = "<type>",
            defaultValue = "ipv4",
            converter = AddressTypeConverter.class,
            description = "Type of that address: ipv4, ipv6 or gid; by default ${DEFAULT-VALUE}")
    private RdmaAddress.Type type;

    int port() {
        return port;
    }

    /** Returns the address of the server; null if this is the server. */
    @Nullable
    RdmaAddress server() {
        return address == null || address.isEmpty() ? null : new RdmaAddress(type, address);
    }

    /** Returns the value of the address type in C. */
    int typeNumber() {
        return switch (type) {
            case IPV4 -> 0;
            case IPV6 -> 1;
            case GID -> 2;
        };
    }
}
