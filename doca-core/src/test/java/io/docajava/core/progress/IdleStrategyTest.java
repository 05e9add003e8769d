/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
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

    /** With longer sleeps, the test would not end in time. */
    @Test
    void strategiesReturnAtOnceWhenThereWasWork() {
        for (IdleStrategy strategy : List.of(
                IdleStrategy.busySpin(), IdleStrategy.yielding(), IdleStrategy.backoff(Duration.ofSeconds(1)))) {
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
        assertThatThrownBy(() -> IdleStrategy.eventDriven(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The time to spin must not be negative: PT-0.000000001S");
    }

    /** A sleeping engine would not test the condition again, as nothing wakes it. */
    @Test
    void eventDrivenStrategyDoesNotSleepBeforeItsTimeToSpinIsOver() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            engine.idleStrategy(IdleStrategy.eventDriven(Duration.ofDays(1)));
            AtomicInteger rounds = new AtomicInteger();
            assertThat(engine.await(() -> rounds.incrementAndGet() > 10_000, Duration.ofDays(1)))
                    .as("waits for 10,000 rounds")
                    .isTrue();
        }
    }

    @Test
    void eventDrivenStrategySleepsWhenItsTimeToSpinIsOver() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            for (Duration spin : List.of(Duration.ofMillis(2), Duration.ZERO)) {
                engine.idleStrategy(IdleStrategy.eventDriven(spin));
                List<Long> rounds = new ArrayList<>();
                assertThat(engine.await(() -> !rounds.add(System.nanoTime()), Duration.ofMillis(200)))
                        .isFalse();
                long longest = 0;
                for (int i = 1; i < rounds.size(); i++) {
                    longest = Math.max(longest, rounds.get(i) - rounds.get(i - 1));
                }
                assertThat(longest).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    /** A condition that itself waits does not lengthen the sleeps of the outer wait. */
    @Test
    void aWaitInsideOfAWaitKeepsItsTime() throws Exception {
        try (ProgressEngine engine = ProgressEngine.create()) {
            engine.idleStrategy(IdleStrategy.eventDriven(0));
            BooleanSupplier never = () -> {
                assertThatCode(() -> engine.await(() -> false, Duration.ofMillis(1)))
                        .doesNotThrowAnyException();
                return false;
            };
            assertThat(engine.await(never, Duration.ofMillis(20))).isFalse();
        }
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
