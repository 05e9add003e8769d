/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sends a text to a peer that receives it. */
abstract class SendSample implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(SendSample.class);

    private static final Link.Prompt RECEIVE_POSTED = new Link.Prompt(
            null, "Please press enter after the receive task has been successfully submitted in the receiver side");

    @Mixin
    private PeerFlags flags;

    @Option(
            names = {"-s", "--send-string"},
            paramLabel = "<Send string>",
            defaultValue = "Hi DOCA RDMA!",
            converter = MessageConverter.class,
            description = "String to send, by default \"${DEFAULT-VALUE}\"")
    private String text;

    /** Returns the task that the device must support. */
    abstract RdmaTaskType task();

    /** Returns the log line before a text is sent. */
    abstract String announce(String message);

    abstract Completion<Long> send(RdmaConnection receiver, MapRange message);

    /** Returns the name of the operation. */
    abstract String name();

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = flags.open(task());
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE);
                RdmaContext rdma =
                        flags.context(device, Access.LOCAL_READ_WRITE, 1).start(engine);
                Link link = flags.link(Role.SENDER, rdma)) {
            RdmaConnection receiver = link.connect(1).getFirst();
            link.await("receiving", RECEIVE_POSTED);

            MessageText.write(memory, 0, text);
            LOG.info(announce(text));
            send(receiver, memory.range(0, MessageText.SIZE)).await();
            LOG.info("{} was done successfully", name());

            link.disconnect();
            rdma.stop();
        }
    }
}
