/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.Doca;
import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests contexts that connect, send, disconnect, stop and restart at random, also in callbacks, against a model of the results:
 * which calls are refused and how, that every accepted operation ends once, that no connection outlives its context, and that
 * nothing leaks. A failure names the seed; {@code -Ddoca.seed=...} repeats its run.
 */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@NeedsFunction("doca_rdma_task_remote_net_sync_event_get_allocate_init") // and with it a stop that flushes
class RandomRdmaTest extends CompletionModes {

    private static final int COMMANDS = Integer.getInteger("doca.commands", 3000);

    @RepeatedTest(2)
    void keepsItsPromisesWhateverIsCalled() {
        assumeTrue(
                Doca.backend() == Backend.EMULATOR,
                DocaLibrary.load().has(NeedsFunction.CONNECTIONS)
                        ? "NVIDIA's library may end a receive twice, or lose operations of a connection that fails, and never ends the stop"
                        : "NVIDIA's library without connections loses the places of flushed receives");
        long seed = Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
        try (RandomPeers peers = new RandomPeers(new Random(seed))) {
            for (int i = 0; i < COMMANDS || (i < 10 * COMMANDS && peers.haveDoneLittle()); i++) {
                peers.doAnything();
                peers.check();
            }
            peers.quiesce();
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }
}
