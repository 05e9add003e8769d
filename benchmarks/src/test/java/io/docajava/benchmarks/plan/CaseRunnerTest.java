/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.benchmarks.pair.Pair;
import io.docajava.benchmarks.plan.CaseRunner.CaseFailure;
import io.docajava.benchmarks.report.Figure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Really measures, for milliseconds. */
@Timeout(600)
class CaseRunnerTest {

    private static final Effort SHORT = new Effort(1, Duration.ofMinutes(1), 1, 2, Duration.ofMillis(20));

    @BeforeAll
    static void letOthersRunJmh() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    @ParameterizedTest
    @EnumSource(names = {"RAW", "RDMA_SEND"})
    void measuresJavaAndCInPairs(Api api) throws CaseFailure {
        List<Pair> pairs = new CaseRunner(SHORT).measure(new BenchCase(api, 64, 32));

        assertThat(pairs).hasSize(2);
        assertThat(pairs).allSatisfy(pair -> {
            assertThat(pair.javaNanos()).isPositive();
            assertThat(pair.cNanos()).isPositive();
            assertThat(pair.bytes()).isNotNegative();
        });
    }

    @Test
    void reportsWhyACaseCannotBeMeasured() {
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        // No memory has as many bytes.
        BenchCase wrong = new BenchCase(Api.MEMORY_COPY, -8, 32);
        Session session = new Session(new CaseRunner(SHORT), SHORT, new PrintStream(progress), System.nanoTime());

        session.measureOnce(List.of(wrong));

        assertThat(session.figures()).extracting(Figure::name).isEmpty();
        assertThat(session.failures()).containsOnlyKeys(wrong);
        assertThat(session.failures().get(wrong)).contains("There are 1 to 4294967296 bytes of memory, not -256");
        assertThat(progress.toString(UTF_8)).startsWith("memory-copy/-8/32 ... failed: ");
    }
}
