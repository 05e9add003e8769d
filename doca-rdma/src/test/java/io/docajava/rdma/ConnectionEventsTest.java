/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.ContextState;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.rdma.internal.Internals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests events of connections that are delivered when their connection has ended. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class ConnectionEventsTest {

    private static final int PORT = 41_000 + (int) (ProcessHandle.current().pid() % 20_000);

    /** The SDK may give the address of an ended connection to the next one. */
    @Test
    void theFailureOfAnEarlierConnectionDoesNotStopGraphs() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            Internals.addGraphTask(lab.connection);
            Internals.event(
                    lab.here.rdma,
                    Internals.FAILED,
                    Internals.pointer(lab.connection),
                    Internals.number(lab.connection) + 1);
            lab.engine.progress();
            assertThat(lab.here.rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(lab.connection.state()).isEqualTo(ConnectionState.ESTABLISHED);
            Internals.removeGraphTask(lab.connection);
            assertThat(lab.get(lab.connection.write(lab.here.data(0, 8), lab.remoteSpace(0, 8))))
                    .isEqualTo(8);
        }
    }

    /** The context stops and starts in a callback. The rest of the delivery is of the earlier run, whose pointers are invalid. */
    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void aRequestToAnEarlierRunIsForgotten() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            List<ConnectionRequest> requests = new ArrayList<>();
            List<ContextState> states = new ArrayList<>();
            long stale = Internals.pointer(lab.back);
            RdmaContext there = lab.there.rdma;
            Completion<Long> write = lab.connection.write(lab.here.data(0, 8), lab.remoteSpace(0, 8));
            CompletableFuture<Void> restarted = write.thenRun(() -> {
                there.stop();
                states.add(there.state());
                there.restart();
                assertThat(there.listen(PORT, requests::add).isOpen()).isTrue();
                Internals.event(there, Internals.REQUESTED, stale, 0);
                states.add(there.state());
            });
            assertThat(lab.get(write)).isEqualTo(8);
            assertThat(restarted).isCompleted();
            for (int i = 0; i < 100; i++) {
                lab.engine.progress();
            }
            assertThat(states).containsExactly(ContextState.IDLE, ContextState.RUNNING);
            assertThat(requests).isEmpty();
            assertThat(lab.reported).isEmpty();
        }
    }
}
