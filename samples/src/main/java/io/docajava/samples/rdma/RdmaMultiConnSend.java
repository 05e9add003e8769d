/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sends a text on each of several connections. */
@Command(
        name = "rdma_multi_conn_send",
        sortOptions = false,
        description = "Sends a text to rdma_multi_conn_receive by each of several connections")
public final class RdmaMultiConnSend implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(RdmaMultiConnSend.class);

    @Mixin
    private PeerFlags flags;

    @Mixin
    private ConnectionsFlag connections;

    @Option(
            names = {"-s", "--send-string"},
            paramLabel = "<Send string>",
            defaultValue = "Hi DOCA RDMA!",
            converter = MessageConverter.class,
            description = "String to send, by default \"${DEFAULT-VALUE}\"")
    private String text;

    @Override
    public void run() throws IOException, InterruptedException {
        int number = connections.get();
        try (Device device = flags.open(RdmaTaskType.SEND);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE);
                RdmaContext rdma =
                        flags.context(device, Access.LOCAL_READ_WRITE, number).start(engine);
                Link link = flags.link(Role.SENDER, rdma)) {
            List<RdmaConnection> receivers = link.connect(number);
            link.await(
                    "receiving",
                    Link.Prompt.always(
                            "Please press enter after all the receive tasks have been successfully submitted in"
                                    + " the receiver side"));

            for (Completion<Long> send : sendAll(receivers, memory)) {
                send.await();
                LOG.info("RDMA send task was done successfully");
            }

            link.disconnect();
            rdma.stop();
        }
    }

    private List<Completion<Long>> sendAll(List<RdmaConnection> receivers, Mmap memory) {
        List<Completion<Long>> sends = new ArrayList<>();
        for (int i = 0; i < receivers.size(); i++) {
            long offset = (long) i * MessageText.SIZE;
            MessageText.write(memory, offset, text);
            LOG.info(
                    "Submitting RDMA send task [{}] that sends \"{}\" to receiver, sender's rdma_connection address [{}]",
                    i,
                    text,
                    receivers.get(i));
            sends.add(receivers.get(i).send(memory.range(offset, MessageText.SIZE)));
        }
        return sends;
    }
}
