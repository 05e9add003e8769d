/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PairProfilerTest {

    @Test
    void findsTheTwinOfABenchmark() {
        assertThat(PairProfiler.twin("io.docajava.benchmarks.copy.DmaCopyBenchmark.task"))
                .contains("dma_single");
    }

    @Test
    void findsNoneWhereThereIsNone() {
        assertThat(PairProfiler.twin("io.docajava.benchmarks.peer.MemoryCopyBenchmark.memorySegmentCopy"))
                .isEmpty();
    }

    @Test
    void refusesAClassThatIsNotThere() {
        assertThatThrownBy(() -> PairProfiler.twin("io.docajava.Nothing.here"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("JMH ran a benchmark that is not there: io.docajava.Nothing.here");
    }
}
