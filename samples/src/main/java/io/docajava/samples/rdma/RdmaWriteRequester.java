/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaTaskType;
import picocli.CommandLine.Command;

/** Writes a text to the memory of a peer. */
@Command(
        name = "rdma_write_requester",
        sortOptions = false,
        description = "Writes a text to the memory of rdma_write_responder")
public final class RdmaWriteRequester extends WriteSample {

    @Override
    Role role() {
        return Role.REQUESTER;
    }

    @Override
    RdmaTaskType task() {
        return RdmaTaskType.WRITE;
    }

    @Override
    String announce(String message) {
        return "Submitting RDMA write task that writes \"" + message + "\" to the responder";
    }

    @Override
    Completion<Long> write(RdmaConnection responder, MapRange source, MapRange remote) {
        return responder.write(source, remote);
    }

    @Override
    String name() {
        return "RDMA write task";
    }

    @Override
    String confirm(String message) {
        return "Written to responder \"" + message + "\"";
    }
}
