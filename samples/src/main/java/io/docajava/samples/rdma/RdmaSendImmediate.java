/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTaskType;
import picocli.CommandLine.Command;

/** Sends a text with immediate data. */
@Command(
        name = "rdma_send_immediate",
        sortOptions = false,
        description = "Sends a text with immediate data to rdma_receive_immediate")
public final class RdmaSendImmediate extends SendSample {

    @Override
    RdmaTaskType task() {
        return RdmaTaskType.SEND_IMM;
    }

    @Override
    String announce(String message) {
        return "Submitting RDMA send with immediate task that sends \"" + message + "\" with immediate value "
                + MessageText.IMMEDIATE + " to receiver";
    }

    @Override
    Completion<Long> send(RdmaConnection receiver, MapRange message) {
        return receiver.submit(RdmaOperation.sendImmediate(message, MessageText.IMMEDIATE));
    }

    @Override
    String name() {
        return "RDMA send with immediate task";
    }
}
