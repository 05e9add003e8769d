/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.exchange.DescriptorExchange;
import io.docajava.samples.cli.SecondsConverter;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for peers that exchange their descriptors over a socket. */
final class ExchangeFlags {

    @Option(
            names = "--exchange",
            paramLabel = "<address>",
            converter = ExchangeConverter.class,
            description = {
                "Exchange descriptors and progress with the peer over a socket, in place of files and the enter key:"
                        + " host:port, [IPv6]:port, :port for all networks of this machine, or unix:path; the same for both"
            })
    private @Nullable SocketAddress address;

    @Option(
            names = "--timeout",
            paramLabel = "<seconds>",
            defaultValue = "60",
            converter = SecondsConverter.class,
            description = {
                "How long to wait for the peer at that address, and for a peer that has to change a sync event, by"
                        + " default ${DEFAULT-VALUE}"
            })
    private Duration timeout;

    /** Returns the address of the exchange with the peer; null if descriptors are copied in files. */
    @Nullable
    SocketAddress address() {
        return address;
    }

    /** Returns the longest time to wait for the peer. */
    Duration timeout() {
        return timeout;
    }

    /** Opens an exchange with the peer; the side that submits the operations connects to the other side. */
    DescriptorExchange meet(SocketAddress place, Role role) throws IOException {
        return role.begins() ? DescriptorExchange.connect(place, timeout) : DescriptorExchange.listen(place, timeout);
    }

    /** Opens an exchange with a peer that runs the same program. */
    DescriptorExchange open(SocketAddress place) throws IOException {
        return DescriptorExchange.open(place, timeout);
    }
}
