/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.TransportType;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of all pairs of samples: the device, and the way in which the peers connect. */
final class PeerFlags {

    @Mixin
    private DeviceFlags device;

    @Mixin
    private FileFlags files;

    @Mixin
    private ExchangeFlags exchange;

    @Option(
            names = {"-tt", "--transport-type"},
            paramLabel = "<type>",
            defaultValue = "RC",
            converter = TransportConverter.class,
            description = "RC or DC, by default ${DEFAULT-VALUE}; DC for one connection by descriptors only")
    private TransportType transport;

    @Option(
            names = {"-cm", "--use-rdma-cm"},
            description = "Connect by the address of the server's device instead of descriptors")
    private boolean byAddress;

    @Mixin
    private AddressFlags address;

    /** Opens the device, which must support RDMA. */
    Device open() {
        return device.open();
    }

    /** Opens the device, which must support one type of operation. */
    Device open(RdmaTaskType task) {
        return device.open(task);
    }

    /**
     * Configures a context.
     *
     * @param permissions the operations of peers in memory of this side
     * @param connections the number of connections
     * @throws SampleException if the flags do not fit together
     */
    RdmaContextBuilder context(Device opened, Access permissions, int connections) {
        if (byAddress && exchange.address() != null) {
            throw new SampleException("--exchange is for connections by descriptors: leave out -cm, or --exchange");
        }
        if ((byAddress || connections > 1) && transport == TransportType.DC) {
            throw new SampleException("Failed to allocate RDMA resources: due to DOCA_RDMA_TRANSPORT_TYPE_DC is only"
                    + " supported for out-of-band single connection case for now");
        }
        return device.context(opened)
                .permissions(permissions)
                .maxConnections(connections)
                .transport(transport);
    }

    /** Returns the longest time to wait for a peer whose end the link does not report. */
    Duration timeout() {
        return exchange.timeout();
    }

    /** Returns whether connections are by address. */
    boolean isByAddress() {
        return byAddress;
    }

    /** Returns the link between this side and its peer. */
    Link link(Role role, RdmaContext rdma) throws IOException {
        if (byAddress) {
            return new AddressLink(role, rdma, address);
        }
        SocketAddress meeting = exchange.address();
        return meeting == null
                ? new FileLink(role, rdma, files, transport)
                : new ExchangeLink(rdma, exchange.meet(meeting, role), exchange.timeout());
    }
}
