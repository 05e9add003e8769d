/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.Received;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Receives a text on each of several connections. */
@Command(
        name = "rdma_multi_conn_receive",
        sortOptions = false,
        description = "Receives a text from rdma_multi_conn_send by each of several connections")
public final class RdmaMultiConnReceive implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(RdmaMultiConnReceive.class);

    @Mixin
    private PeerFlags flags;

    @Mixin
    private ConnectionsFlag connections;

    @Override
    public void run() throws IOException, InterruptedException {
        int number = connections.get();
        try (Device device = flags.open(RdmaTaskType.RECEIVE);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE);
                RdmaContext rdma =
                        flags.context(device, Access.LOCAL_READ_WRITE, number).start(engine);
                Link link = flags.link(Role.RECEIVER, rdma)) {
            link.connect(number);

            List<Completion<Received>> receives = receiveAll(rdma, number, memory);
            link.sendWord("receiving");
            for (Completion<Received> receive : receives) {
                show(link.await(receive), memory);
            }

            link.disconnect();
            rdma.stop();
        }
    }

    private static List<Completion<Received>> receiveAll(RdmaContext rdma, int number, Mmap memory) {
        List<Completion<Received>> receives = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            LOG.info("Submitting RDMA receive task [{}]", i);
            receives.add(rdma.receive(memory.range((long) i * MessageText.SIZE, MessageText.SIZE)));
            LOG.info("RDMA receive task [{}] successfully submitted", i);
        }
        LOG.info("All RDMA receive tasks have been successfully submitted");
        return receives;
    }

    private static void show(Received received, Mmap memory) {
        LOG.info("RDMA receive task was done successfully");
        long offset = received.range().orElseThrow().offset();
        String text = MessageText.read(memory, offset, "The message that was received from sender");
        LOG.info("Got from sender: \"{}\", sender's rdma_connection address [{}]", text, received.connection());
    }
}
