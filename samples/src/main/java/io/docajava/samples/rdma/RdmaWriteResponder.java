/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Exports memory that a peer writes to. */
@Command(
        name = "rdma_write_responder",
        sortOptions = false,
        description = "Lets rdma_write_requester write a text to this process' memory")
public final class RdmaWriteResponder extends ResponderSample {

    private static final Logger LOG = LoggerFactory.getLogger(RdmaWriteResponder.class);

    @Override
    Access permission() {
        return Access.RDMA_WRITE;
    }

    @Override
    String prompt() {
        return "Wait till the requester has finished writing and press enter";
    }

    @Override
    void show(Mmap memory) {
        String text = MessageText.read(memory, 0, "The message that was written by the requester");
        LOG.info("Requester has written: \"{}\"", text);
    }
}
