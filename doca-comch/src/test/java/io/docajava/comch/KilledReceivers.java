/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.junit.PeerJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Processes that receive, all but the last of which are killed. When one is killed the next one is there to take over at once. */
final class KilledReceivers implements AutoCloseable {

    private static final int KILLS = 3;

    private final List<PeerJvm> jvms = new ArrayList<>();
    private final Supplier<PeerJvm> starter;
    private final String order;

    /**
     * Starts the first one.
     *
     * @param name of the server
     * @param journal where they write down what they have handled
     */
    KilledReceivers(Supplier<PeerJvm> starter, String name, Path journal) {
        this.starter = starter;
        this.order = "receive " + name + " " + journal;
        jvms.add(starter.get());
    }

    /**
     * Has them get all messages.
     *
     * @param connect what the sender has to do when a receiver is there
     */
    void receiveAll(ResumingSender sender, Random random, Connecting connect) throws Exception {
        for (long moment : random.longs(KILLS, 0, sender.total()).sorted().toArray()) {
            PeerJvm receiver = jvms.getLast();
            jvms.add(starter.get());
            receive(receiver, connect);
            sender.awaitAnswered(moment);
            receiver.kill();
            sender.awaitEnds(jvms.size() - 1);
        }
        receive(jvms.getLast(), connect);
        sender.awaitAnswered(sender.total());
    }

    private void receive(PeerJvm receiver, Connecting connect) throws Exception {
        assertThat(receiver.ask(order)).isEqualTo("started");
        connect.run();
    }

    /** What has to be done to be connected. */
    @FunctionalInterface
    interface Connecting {
        void run() throws Exception;
    }

    @Override
    public void close() {
        jvms.forEach(PeerJvm::close);
    }
}
