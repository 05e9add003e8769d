/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests operations that are submitted together. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class DeferredOperationsTest extends CompletionModes {

    @Test
    void allFormsLeaveTogetherInTheirOrder() throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder.maxTasks(64).maxReceives(64))) {
            List<Completion<Received>> receives = new ArrayList<>();
            for (long i = 0; i < 40; i++) {
                receives.add(lab.there.rdma.receive(lab.there.memory.range(i * 64, 64)));
            }
            lab.there.rdma.flush();
            List<Completion<Long>> sends = new ArrayList<>();
            lab.there.setWord(500_000, 0);
            MapRange word = lab.remote.range(500_000, 8);
            try (RdmaTask write = lab.connection.task(
                            RdmaOperation.write(lab.here.filled(90_000, 8), lab.remote.range(400_000, 8)));
                    RdmaTask add = lab.connection.task(RdmaOperation.fetchAdd(word, 5))) {
                for (int i = 0; i < 40; i++) {
                    sends.add(lab.connection.submit(RdmaOperation.sendImmediate(lab.here.filled(i * 64L, 64), i)));
                }
                write.submit();
                add.submit();
                assertThat(lab.here.rdma.inFlight()).isEqualTo(42);
                lab.await(() -> write.isDone() && add.isDone());
                add.operation(RdmaOperation.fetchAdd(word, 2)).submit();
                lab.here.rdma.flush();
                lab.await(add::isDone);
                assertThat(add.result()).isEqualTo(5);
            }
            for (int i = 0; i < 40; i++) {
                assertThat(lab.get(sends.get(i))).isEqualTo(64);
                assertThat(lab.get(receives.get(i)).immediate()).hasValue(i);
            }
            lab.assertSame(0, 0, 40 * 64);
            lab.assertSame(90_000, 400_000, 8);
            assertThat(lab.there.word(500_000)).isEqualTo(7);
        }
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void endWithTheRun() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            Completion<Long> write = lab.connection.write(lab.here.filled(0, 8), lab.remote.range(0, 8));
            lab.here.rdma.stop();
            lab.await(write::isDone);
            lab.here.rdma.restart();
            lab.reconnect();
            assertThat(lab.get(lab.connection.write(lab.here.filled(0, 8), lab.remote.range(8, 8))))
                    .isEqualTo(8);
        }
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void heldBackOperationsAreSubmittedBeforeADisconnect() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            Completion<Received> receive = lab.there.rdma.receive(lab.there.memory.range(0, 8));
            Completion<Long> send = lab.connection.send(lab.here.filled(0, 8));
            lab.connection.disconnect();
            lab.await(send::isDone);
            // The send may have been executed or not.
            assertThat(send.isCompletedExceptionally() ? -1 : send.resultNow()).isIn(-1L, 8L);
            assertThat(receive.isCompletedExceptionally()).isFalse();
        }
    }
}
