/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Exports memory with a text, which a peer reads. */
@Command(
        name = "rdma_read_responder",
        sortOptions = false,
        description = "Lets rdma_read_requester read a text in this process' memory")
public final class RdmaReadResponder extends ResponderSample {

    @Option(
            names = {"-r", "--read-string"},
            paramLabel = "<Read string>",
            defaultValue = "Hi DOCA RDMA!",
            converter = MessageConverter.class,
            description = "String to read, by default \"${DEFAULT-VALUE}\"")
    private String text;

    @Override
    Access permission() {
        return Access.RDMA_READ;
    }

    @Override
    void fill(Mmap memory) {
        MessageText.write(memory, 0, text);
    }

    @Override
    String prompt() {
        return "Wait till the requester has finished reading and press enter";
    }
}
