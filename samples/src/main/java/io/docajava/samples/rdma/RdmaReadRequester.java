/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Reads a text from the memory of a passive peer. */
@Command(
        name = "rdma_read_requester",
        sortOptions = false,
        description = "Reads a text in the memory of rdma_read_responder")
public final class RdmaReadRequester implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(RdmaReadRequester.class);

    @Mixin
    private PeerFlags flags;

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = flags.open(RdmaTaskType.READ);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE);
                RdmaContext rdma =
                        flags.context(device, Access.LOCAL_READ_WRITE, 1).start(engine);
                Link link = flags.link(Role.REQUESTER, rdma)) {
            RdmaConnection responder = link.connect(1).getFirst();

            try (Mmap remote = link.importMemory()) {
                LOG.info("Submitting RDMA read task");
                MapRange source = remote.range(0, MessageText.SIZE);
                MapRange target = memory.range(0, MessageText.SIZE);
                PeerWait.orStop(rdma, () -> responder.read(source, target).await());
            }
            LOG.info("RDMA read task was done Successfully");
            String text = MessageText.read(memory, 0, "The message that we read from the responder");
            LOG.info("Read from responder: \"{}\"", text);

            link.sendWord("done");
            link.disconnect();
            rdma.stop();
        }
    }
}
