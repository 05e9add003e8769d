/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests random calls against a model of their results: whether a call is accepted, that each accepted copy ends once, the
 * content of the memory and the buffers afterwards, and that everything can be closed. A failure names the seed;
 * {@code -Ddoca.seed=...} repeats its run.
 */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RandomCommandsTest extends CompletionModes {

    private static final int COMMANDS = 4000;

    @RepeatedTest(3)
    void keepsItsPromisesWhateverIsCalled() {
        long seed = Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
        try (RandomWorld world = new RandomWorld(new Random(seed))) {
            for (int i = 0; i < COMMANDS; i++) {
                world.doAnything();
                world.check();
            }
            world.quiesce();
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }
}
