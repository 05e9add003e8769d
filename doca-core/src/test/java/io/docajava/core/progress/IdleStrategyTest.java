/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class IdleStrategyTest {

    @Test
    void backoffRefusesSleepsThatAreTooShortOrTooLong() {
        assertThatThrownBy(() -> IdleStrategy.backoff(Duration.ofNanos(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The longest sleep must be from 1 µs to 1 s: PT0.000000999S");
        assertThatThrownBy(() -> IdleStrategy.backoff(Duration.ofSeconds(1).plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The longest sleep must be from 1 µs to 1 s: PT1.000000001S");
    }

    @Test
    void backoffSleepsForTheLongestTimeInTheEnd() {
        IdleStrategy backoff = IdleStrategy.backoff(Duration.ofMillis(1));
        // 200 rounds of spinning and yielding, then 1, 2, 4 ... 512 µs, and 1 ms for each round after that.
        for (int round = 0; round < 210; round++) {
            backoff.idle(0);
        }
        long start = System.nanoTime();
        for (int round = 0; round < 5; round++) {
            backoff.idle(0);
        }
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(4));
    }

    @Test
    void strategiesReturnAtOnceWhenThereWasWork() {
        for (IdleStrategy strategy :
                new IdleStrategy[] {IdleStrategy.busySpin(), IdleStrategy.yielding(), IdleStrategy.backoff()}) {
            for (int round = 0; round < 1000; round++) {
                strategy.idle(1);
            }
        }
    }

    @Test
    void eventDrivenStrategyNeedsAnEngine() {
        assertThatThrownBy(() -> IdleStrategy.eventDriven().idle(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("An event-driven strategy is used through the engine that it was given to");
        assertThatThrownBy(() -> IdleStrategy.eventDriven(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The number of spins must not be negative: -1");
    }

    @Test
    void eachEngineGetsItsOwnStateOfASharedStrategy() {
        try (ProgressEngine engine = ProgressEngine.create()) {
            IdleStrategy backoff = IdleStrategy.backoff();
            assertThat(backoff.forEngine(engine)).isNotSameAs(backoff);
            IdleStrategy ownOfUser = workCount -> {};
            assertThat(ownOfUser.forEngine(engine)).isSameAs(ownOfUser);
        }
    }
}
