/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.PeerJvm;
import io.docajava.rdma.NeedsFunction;
import io.docajava.testing.FullTests;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests processes that add to the same word of the memory of another process, which is idle meanwhile. */
@Timeout(600)
class SumTest {

    private static final int CONNECTIONS = 4;
    private static final int ADDITIONS = FullTests.amount(10_000, 100_000);
    private static final Pattern ADDED = Pattern.compile("added (\\d+) to (\\d+)");

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void noAdditionIsLost() throws Exception {
        try (PeerJvm one = Peer.start();
                PeerJvm other = Peer.start();
                ProgressEngine engine = ProgressEngine.create();
                OwnSide own = new OwnSide(engine)) {
            List<PeerJvm> peers = List.of(one, other);
            String export = Base64.getEncoder()
                    .encodeToString(own.memory.exportRdma(own.device).toBytes());
            for (PeerJvm peer : peers) {
                for (int i = 0; i < CONNECTIONS; i++) {
                    own.connect(peer);
                }
                assertThat(peer.ask("import " + export)).isEqualTo("imported");
            }
            for (PeerJvm peer : peers) {
                peer.send("add " + ADDITIONS);
            }
            long sum = 0;
            for (PeerJvm peer : peers) {
                Matcher added = ADDED.matcher(peer.receive());
                assertThat(added.matches()).isTrue();
                assertThat(added.group(1)).isEqualTo(String.valueOf(CONNECTIONS * ADDITIONS));
                sum += Long.parseLong(added.group(2));
            }
            long all = (long) peers.size() * CONNECTIONS * ADDITIONS;
            assertThat(own.memory.segment().get(JAVA_LONG, 0)).isEqualTo(all);
            // Each addition has found a different number.
            assertThat(sum).isEqualTo(all * (all - 1) / 2);
        }
    }
}
