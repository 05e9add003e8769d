/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaTaskType;
import picocli.CommandLine.Command;

/** Sends a text. */
@Command(name = "rdma_send", sortOptions = false, description = "Sends a text to rdma_receive")
public final class RdmaSend extends SendSample {

    @Override
    RdmaTaskType task() {
        return RdmaTaskType.SEND;
    }

    @Override
    String announce(String message) {
        return "Submitting RDMA send task that sends \"" + message + "\" to receiver";
    }

    @Override
    Completion<Long> send(RdmaConnection receiver, MapRange message) {
        return receiver.send(message);
    }

    @Override
    String name() {
        return "RDMA send task";
    }
}
