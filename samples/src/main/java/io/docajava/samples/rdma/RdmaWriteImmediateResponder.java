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
import io.docajava.rdma.ReceivedKind;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Exports memory that a peer writes to, and receives the immediate data of the write. */
@Command(
        name = "rdma_write_immediate_responder",
        sortOptions = false,
        description = "Lets rdma_write_immediate_requester write a text with immediate data to this process' memory")
public final class RdmaWriteImmediateResponder implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(RdmaWriteImmediateResponder.class);

    @Mixin
    private PeerFlags flags;

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = flags.open(RdmaTaskType.RECEIVE);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory =
                        Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE.plus(Access.RDMA_WRITE));
                RdmaContext rdma = flags.context(device, Access.RDMA_WRITE, 1).start(engine);
                Link link = flags.link(Role.IMMEDIATE_RESPONDER, rdma)) {
            link.offer(memory);
            link.connect(1);

            LOG.info("Submitting RDMA receive task");
            // The receive gets only the immediate data; the requester writes the text to the exported memory.
            Completion<Received> receive = rdma.receive();
            link.sendWord("receiving");
            String immediate = Immediate.check(link.await(receive), ReceivedKind.WRITE_IMMEDIATE);
            LOG.info("RDMA receive task was done Successfully");
            String text = MessageText.read(memory, 0, "The message that was written by the requester");
            LOG.info("Requester has written: \"{}\" with immediate data: {}", text, immediate);

            link.disconnect();
            rdma.stop();
        }
    }
}
