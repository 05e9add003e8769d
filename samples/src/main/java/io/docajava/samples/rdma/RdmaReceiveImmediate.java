/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.Received;
import io.docajava.rdma.ReceivedKind;
import picocli.CommandLine.Command;

/** Receives a text with immediate data. */
@Command(
        name = "rdma_receive_immediate",
        sortOptions = false,
        description = "Receives a text with immediate data from rdma_send_immediate")
public final class RdmaReceiveImmediate extends ReceiveSample {

    @Override
    String check(Received received) {
        return " with immediate: " + Immediate.check(received, ReceivedKind.SEND_IMMEDIATE);
    }
}
