/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.Received;
import picocli.CommandLine.Command;

/** Receives a text. */
@Command(name = "rdma_receive", sortOptions = false, description = "Receives a text from rdma_send")
public final class RdmaReceive extends ReceiveSample {

    @Override
    String check(Received received) {
        return "";
    }
}
