/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.Received;
import io.docajava.rdma.ReceivedKind;
import io.docajava.samples.cli.SampleException;

/** Checks the immediate data of a message. */
final class Immediate {

    private Immediate() {}

    /**
     * Returns the immediate data as text, as an unsigned number.
     *
     * @throws SampleException if the message is of another kind, or has another number
     */
    static String check(Received received, ReceivedKind expected) {
        if (received.kind() != expected) {
            throw new SampleException("Got incorrect opcode: " + received.kind() + " instead of " + expected);
        }
        if (received.immediate().orElse(0) != MessageText.IMMEDIATE) {
            throw new SampleException("RDMA receive task failed: immediate value that was received isn't the expected"
                    + " immediate value");
        }
        return Integer.toUnsignedString(MessageText.IMMEDIATE);
    }
}
