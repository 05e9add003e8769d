/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.dma.CopyEnd;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests completions that arrive in an order other than the submission order. */
@Timeout(600)
@SuppressWarnings("try")
@DocaEmulator
class ReorderTest {

    private static final List<Integer> BLOCKS =
            IntStream.range(0, FaultLab.BLOCKS).boxed().toList();

    /** Copies all blocks and returns the order in which they were reported. */
    private static List<Integer> copyAll(EmulatorFaults.Builder builder) throws Exception {
        List<Integer> order = new ArrayList<>();
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = builder.inject()) {
            for (int block : BLOCKS) {
                lab.dma.copy(lab.sourceRange(block), lab.targetRange(block), new Report(lab, block, order));
            }
            lab.drain();
        }
        assertThat(order).containsExactlyInAnyOrderElementsOf(BLOCKS);
        return order;
    }

    /** Records a completed copy; each report belongs to its own copy, whatever the order. */
    private record Report(FaultLab lab, int block, List<Integer> order) implements Handler<CopyEnd> {

        @Override
        public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
            if (failure != null) {
                throw new AssertionError("Block " + block + " was not copied", failure);
            }
            if (end.bytes() == FaultLab.BLOCK && lab.isCopied(block)) {
                order.add(block);
            }
        }
    }

    @Test
    void everyCopyIsReportedToItsOwnHandler() throws Exception {
        assertThat(copyAll(EmulatorFaults.builder().reorder(8, 1))).isNotEqualTo(BLOCKS);
        assertThat(copyAll(EmulatorFaults.builder().reorder(FaultLab.BLOCKS))).isNotEqualTo(BLOCKS);
        assertThat(copyAll(EmulatorFaults.builder().reorder(4096, -1))).isNotEqualTo(BLOCKS);
        assertThat(copyAll(EmulatorFaults.builder().reorder(5).delay(Duration.ofMillis(1))))
                .isNotEqualTo(BLOCKS);
    }

    @Test
    void theSeedChoosesTheOrder() throws Exception {
        List<Integer> order = copyAll(EmulatorFaults.builder().reorder(16, 42));
        List<Integer> again = copyAll(EmulatorFaults.builder().reorder(16, 42));
        List<Integer> other = copyAll(EmulatorFaults.builder().reorder(16, 43));
        if (!FaultLab.isThreaded()) {
            assertThat(again).isEqualTo(order);
            assertThat(other).isNotEqualTo(order);
        }
    }

    @Test
    void aCopyAloneIsNotKeptWaiting() throws Exception {
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = EmulatorFaults.builder().reorder(8).inject()) {
            lab.assertCopies();
        }
    }
}
