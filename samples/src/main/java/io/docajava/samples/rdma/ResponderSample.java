/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaContext;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** Exports memory of this process to a peer, and waits until the peer has used it. */
abstract class ResponderSample implements Sample {

    @Mixin
    private PeerFlags flags;

    /** Returns the permissions of the peer. */
    abstract Access permission();

    /** Prepares the memory. */
    void fill(Mmap memory) {}

    /** Returns the prompt for the user, who sees when the requester has finished. */
    abstract String prompt();

    /** Shows the result. */
    void show(Mmap memory) {}

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = flags.open();
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, MessageText.MEMORY, Access.LOCAL_READ_WRITE.plus(permission()));
                RdmaContext rdma = flags.context(device, permission(), 1).start(engine);
                Link link = flags.link(Role.RESPONDER, rdma)) {
            fill(memory);
            link.offer(memory);
            link.connect(1);

            link.await("done", Link.Prompt.always(prompt()));
            show(memory);

            link.disconnect();
            rdma.stop();
        }
    }
}
