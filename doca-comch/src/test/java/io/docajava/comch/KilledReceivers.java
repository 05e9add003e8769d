/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.junit.PeerJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Receiving processes. All but the last are killed, and the next process is always ready to take over. */
final class KilledReceivers implements AutoCloseable {

    private static final int KILLS = 3;

    private final List<PeerJvm> jvms = new ArrayList<>();
    private final Supplier<PeerJvm> starter;
    private final String order;

    /**
     * Starts the first receiver.
     *
     * @param name the name of the server
     * @param journal the file in which receivers record handled messages
     */
    KilledReceivers(Supplier<PeerJvm> starter, String name, Path journal) {
        this.starter = starter;
        this.order = "receive " + name + " " + journal;
        jvms.add(starter.get());
    }

    /** Returns random moments to kill receivers. */
    static long[] randomKills(ResumingSender sender, Random random) {
        return random.longs(KILLS, 0, sender.total()).sorted().toArray();
    }

    /**
     * Lets the receivers handle all messages.
     *
     * @param kills the number of answered messages at which each receiver but the last is killed, in ascending order
     * @param connect connects the sender when a receiver is ready
     */
    void receiveAll(ResumingSender sender, long[] kills, Connecting connect) throws Exception {
        for (long moment : kills) {
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

    /** Connects the sender to a receiver. */
    @FunctionalInterface
    interface Connecting {
        void run() throws Exception;
    }

    @Override
    public void close() {
        jvms.forEach(PeerJvm::close);
    }
}
