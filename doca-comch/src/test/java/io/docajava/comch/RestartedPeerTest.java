/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.FullTests;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a client that is killed while it sends, and another client that continues in its place. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class RestartedPeerTest {

    private static final int TOTAL = FullTests.amount(10_000, 20_000);

    @Test
    void noMessageIsLostUnreportedNorComesTwice() throws Exception {
        try (ServerLab lab = new ServerLab(builder -> builder.maxSends(64))) {
            Numbers numbers = new Numbers();
            lab.comm.close();
            List<String> ends = new ArrayList<>();
            try (CommServer server = CommServer.builder(lab.device, lab.representor, lab.name)
                    .connectionListener(new CommConnectionListener() {
                        @Override
                        public void connected(CommConnection connection) {
                            numbers.tellNext(connection);
                        }

                        @Override
                        public void disconnected(CommConnection connection, DisconnectReason reason) {
                            ends.add(reason.name());
                        }
                    })
                    .start(lab.engine, numbers)) {
                for (int killAt : List.of(TOTAL / 3, 2 * TOTAL / 3)) {
                    try (PeerJvm client = Peer.start(DocaEmulator.Role.HOST)) {
                        client.send("stream " + lab.name + " " + TOTAL);
                        assertThat(lab.engine.await(() -> numbers.next >= killAt, ServerLab.SOON))
                                .as("waits for the number at which the sender is killed")
                                .isTrue();
                        client.kill();
                    }
                    int before = ends.size();
                    assertThat(lab.engine.await(() -> ends.size() > before, ServerLab.SOON))
                            .as("waits for the end of the killed sender's connection")
                            .isTrue();
                }
                try (PeerJvm client = Peer.start(DocaEmulator.Role.HOST)) {
                    client.send("stream " + lab.name + " " + TOTAL);
                    assertThat(lab.engine.await(() -> numbers.next == TOTAL, ServerLab.SOON))
                            .as("waits for all numbers")
                            .isTrue();
                    lab.engine.progress();
                    assertThat(client.receive()).isEqualTo("done");
                }

                assertThat(server.connections()).hasSize(1);
                assertThat(numbers.wrong).isEmpty();
                assertThat(ends).containsExactly("PEER", "PEER");
                assertThat(lab.engine.await(() -> numbers.sends.stream().allMatch(Completion::isDone), ServerLab.SOON))
                        .as("waits for the end of all sends")
                        .isTrue();
                assertThat(numbers.sends).hasSize(3).noneMatch(Completion::isCompletedExceptionally);
            }
        }
    }

    /** Receives the messages of a {@link NumberedStream}, and checks that their numbers are consecutive. */
    private static final class Numbers implements MessageHandler {

        final List<String> wrong = new ArrayList<>();
        final List<Completion<Long>> sends = new ArrayList<>();
        int next;

        void tellNext(CommConnection connection) {
            sends.add(connection.send(
                    ByteBuffer.allocate(Long.BYTES).putLong(next).array()));
        }

        @Override
        public void received(CommConnection connection, CommMessage message) {
            if (!Arrays.equals(message.bytes(), NumberedMessages.message(next))) {
                wrong.add(message + " in place of number " + next);
            }
            next++;
        }
    }
}
