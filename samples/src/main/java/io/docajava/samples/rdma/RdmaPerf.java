/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaCapabilities;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.exchange.DescriptorExchange;
import io.docajava.samples.cli.CountConverter;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.cli.SizeConverter;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures bandwidth and latency of RDMA between two processes. */
@Command(
        name = "rdma_perf",
        sortOptions = false,
        description = {
            "Measures bandwidth and latency of RDMA write, read and send by message size, between two of these programs",
            "Both get the same --exchange; the one that comes first is the server, and the other one measures. Bandwidth is of"
                    + " --tx-depth operations in flight, latency that of a single one from submission to completion."
        })
public final class RdmaPerf implements Sample {

    @Mixin
    private DeviceFlags device;

    @Mixin
    private ExchangeFlags exchange;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "<bytes>",
            split = ",",
            defaultValue = "64,1K,4K,64K,1M",
            converter = SizeConverter.class,
            description = "Message sizes, by default ${DEFAULT-VALUE}")
    private List<Long> sizes;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "<number>",
            defaultValue = "1000",
            converter = CountConverter.class,
            description = "Operations for each line of the table, by default ${DEFAULT-VALUE}")
    private int iterations;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "<number>",
            defaultValue = "32",
            converter = CountConverter.class,
            description = "Operations in flight where the bandwidth is measured, by default ${DEFAULT-VALUE}")
    private int depth;

    @Option(
            names = {"-o", "--operation"},
            paramLabel = "<operation>",
            split = ",",
            defaultValue = "write,read,send",
            converter = PerfOperation.Converter.class,
            description = "write, read or send, or several of them; by default all")
    private List<PerfOperation> operations;

    @Override
    public void run() throws IOException, InterruptedException {
        SocketAddress meeting = exchange.address();
        if (meeting == null) {
            throw new SampleException("--exchange says where the two programs meet: give both the same one");
        }
        try (Device opened = device.open(RdmaTaskType.WRITE);
                DescriptorExchange peer = exchange.open(meeting)) {
            PerfPlan plan = PerfPlan.agree(peer, new PerfPlan(sizes, iterations, depth, operations));
            plan.check(RdmaCapabilities.of(opened.info()));
            measure(opened, peer, plan);
        }
    }

    private void measure(Device opened, DescriptorExchange peer, PerfPlan plan)
            throws IOException, InterruptedException {
        Access forPeers = Access.RDMA_READ.plus(Access.RDMA_WRITE);
        try (ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(opened, plan.memory(), Access.LOCAL_READ_WRITE.plus(forPeers));
                RdmaContext rdma = plan.configure(device.context(opened).permissions(forPeers))
                        .start(engine)) {
            peer.send("memory", memory.exportRdma(opened));
            RdmaConnection connection = rdma.prepareConnection();
            peer.send("connection", connection.details());
            connection.connect(peer.receiveConnection("connection")).await(Duration.ofMinutes(1));
            if (peer.isFirst()) {
                new PerfServer(rdma, memory, peer).serve(plan);
            } else {
                engine.idleStrategy(IdleStrategy.busySpin());
                new PerfClient(rdma, connection, memory, peer).measure(plan);
            }
            rdma.stop();
        } catch (TimeoutException e) {
            throw new SampleException("The peer has not connected: " + e.getMessage());
        }
    }

    @Override
    public boolean isInterruptible() {
        return true;
    }
}
