/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/** Writes a text to the memory of a peer. */
abstract class WriteSample implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(WriteSample.class);

    @Mixin
    private PeerFlags flags;

    @Option(
            names = {"-w", "--write-string"},
            paramLabel = "<Write string>",
            defaultValue = "Hi DOCA RDMA!",
            converter = MessageConverter.class,
            description = "String to write, by default \"${DEFAULT-VALUE}\"")
    private String text;

    abstract Role role();

    /** Returns the task that the device must support. */
    abstract RdmaTaskType task();

    /** Returns the log line before a text is written. */
    abstract String announce(String message);

    /** Prepares the operation. */
    void prepare(Link link) throws IOException {}

    abstract Completion<Long> write(RdmaConnection responder, MapRange source, MapRange remote);

    /** Returns the name of the operation. */
    abstract String name();

    /** Returns the log line after a text was written. */
    abstract String confirm(String message);

    @Override
    public void run() throws IOException, InterruptedException {
        // As in C, the text ends with a zero byte.
        int length = text.getBytes(UTF_8).length + 1;
        try (Device device = flags.open(task());
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE);
                RdmaContext rdma =
                        flags.context(device, Access.LOCAL_READ_WRITE, 1).start(engine);
                Link link = flags.link(role(), rdma)) {
            RdmaConnection responder = link.connect(1).getFirst();
            prepare(link);

            MessageText.write(memory, 0, text);
            try (Mmap remote = link.importMemory()) {
                LOG.info(announce(text));
                MapRange source = memory.range(0, length);
                MapRange target = remote.range(0, length);
                PeerWait.orStop(rdma, () -> write(responder, source, target).await());
            }
            LOG.info("{} was done Successfully", name());
            LOG.info(confirm(text));

            link.sendWord("done");
            link.disconnect();
            rdma.stop();
        }
    }
}
