/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTaskType;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Writes a text to the memory of a peer, with immediate data. */
@Command(
        name = "rdma_write_immediate_requester",
        sortOptions = false,
        description = "Writes a text with immediate data to the memory of rdma_write_immediate_responder")
public final class RdmaWriteImmediateRequester extends WriteSample {

    @Override
    Role role() {
        return Role.IMMEDIATE_REQUESTER;
    }

    @Override
    RdmaTaskType task() {
        return RdmaTaskType.WRITE_IMM;
    }

    @Override
    void prepare(Link link) throws IOException {
        link.await("receiving", Link.Prompt.NONE);
    }

    @Override
    String announce(String message) {
        return "Submitting RDMA write with immediate task that writes \"" + message + "\" with immediate value "
                + MessageText.IMMEDIATE + " to responder";
    }

    @Override
    Completion<Long> write(RdmaConnection responder, MapRange source, MapRange remote) {
        return responder.submit(RdmaOperation.writeImmediate(source, remote, MessageText.IMMEDIATE));
    }

    @Override
    String name() {
        return "RDMA write task with immediate";
    }

    @Override
    String confirm(String message) {
        return "Written to responder \"" + message + "\" with immediate value " + MessageText.IMMEDIATE;
    }
}
