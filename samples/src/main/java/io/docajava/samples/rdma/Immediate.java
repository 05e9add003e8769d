/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.rdma.Received;
import io.docajava.rdma.ReceivedKind;
import io.docajava.samples.cli.SampleException;

/** The number that comes with a message, as it has to be. */
final class Immediate {

    private Immediate() {}

    /**
     * The number, without a sign.
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
