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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;

/** Receives a text from a peer. */
abstract class ReceiveSample implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(ReceiveSample.class);

    @Mixin
    private PeerFlags flags;

    /**
     * Checks the message, and returns text for the log line.
     *
     * @throws io.docajava.samples.cli.SampleException if the message is not the expected one
     */
    abstract String check(Received received);

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = flags.open(RdmaTaskType.RECEIVE);
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE);
                RdmaContext rdma =
                        flags.context(device, Access.LOCAL_READ_WRITE, 1).start(engine);
                Link link = flags.link(Role.RECEIVER, rdma)) {
            link.connect(1);

            LOG.info("Submitting RDMA receive task");
            Completion<Received> receive = rdma.receive(memory.range(0, MessageText.SIZE));
            if (flags.isByAddress()) {
                LOG.info("RDMA receive task successfully submitted");
            }
            link.sendWord("receiving");
            String rest = check(link.await(receive));
            LOG.info("RDMA receive task was done Successfully");
            String text = MessageText.read(memory, 0, "The message that was received from sender");
            LOG.info("Got from sender: \"{}\"{}", text, rest);

            link.disconnect();
            rdma.stop();
        }
    }
}
