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
 * Calls in no order and with no sense, beside a model that knows what must come of each: whether it is accepted, that
 * each accepted copy ends once, what the memory and the buffers are then, and that everything can be closed in the end.
 * A run is repeated with the seed that its failure tells: {@code -Ddoca.seed=...}.
 */
@ExtendWith(DocaExtension.class)
@Timeout(60)
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
            world.comeToRest();
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }
}
