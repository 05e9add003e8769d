/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.samples.cli.CountConverter;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SecondsConverter;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves a counter in the memory of one process, or increments it from several others at the same time. */
@Command(
        name = "rdma_atomic",
        sortOptions = false,
        description = {
            "Increments a counter in the memory of a server from several processes at once",
            "Without --server-addr this is the server, which waits for --num-connections clients and does nothing while they"
                    + " add; in the end it prints the sum. With it, this is a client."
        })
public final class RdmaAtomic implements Sample {

    @Mixin
    private DeviceFlags device;

    @Mixin
    private AddressFlags address;

    @Mixin
    private ConnectionsFlag clients;

    @Option(
            names = {"-n", "--increments"},
            paramLabel = "<number>",
            defaultValue = "100000",
            converter = CountConverter.class,
            description = "How many times a client adds 1, by default ${DEFAULT-VALUE}")
    private int increments;

    @Option(
            names = "--depth",
            paramLabel = "<number>",
            defaultValue = "32",
            converter = CountConverter.class,
            description = "How many additions a client has in flight, by default ${DEFAULT-VALUE}")
    private int depth;

    @Option(
            names = "--timeout",
            paramLabel = "<seconds>",
            defaultValue = "60",
            converter = SecondsConverter.class,
            description = "How long the server waits for a client, and a client for the server, by default"
                    + " ${DEFAULT-VALUE}")
    private Duration timeout;

    @Override
    public void run() throws Exception {
        RdmaAddress server = address.server();
        try (Device opened = device.open(RdmaTaskType.ATOMIC_FETCH_ADD)) {
            if (server == null) {
                new CounterServer(device.context(opened), address.port(), timeout).serve(opened, clients.get());
            } else {
                int inFlight = Math.min(depth, increments);
                new CounterClient(device.context(opened), inFlight, timeout)
                        .add(opened, server, address.port(), increments);
            }
        }
    }

    @Override
    public boolean isInterruptible() {
        return true;
    }
}
