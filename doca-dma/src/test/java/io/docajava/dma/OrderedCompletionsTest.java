/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.MapRange;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the order of completions, also with an engine of several workers. {@code ReorderTest} covers unordered ones. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class OrderedCompletionsTest extends CompletionModes {

    private static final int COPIES = 40;

    @Test
    @EnabledIf(Offered.ORDERED_COMPLETIONS)
    void isThatOfSubmissionWhenAskedFor() throws Exception {
        Requirements.function("doca_dma_set_ordered_completions");
        try (Lab lab = new Lab(builder -> builder.maxTasks(COPIES).orderedCompletions(true))) {
            List<MapRange> sources = sources(lab);
            for (int round = 0; round < 20; round++) {
                assertThat(orderOfCompletion(lab, sources)).containsExactlyElementsOf(sources);
            }
            lab.dma.stop();
            lab.dma.restart();
            for (int round = 0; round < 20; round++) {
                assertThat(orderOfCompletion(lab, sources)).containsExactlyElementsOf(sources);
            }
        }
    }

    /** Returns the sources with the longest first, so that another worker would overtake it with a shorter one. */
    private static List<MapRange> sources(Lab lab) {
        List<MapRange> sources = new ArrayList<>();
        for (int i = 0; i < COPIES; i++) {
            sources.add(lab.filled(i * 8L, i % 4 == 0 ? 8000 : 8));
        }
        return sources;
    }

    private static List<MapRange> orderOfCompletion(Lab lab, List<MapRange> sources) throws Exception {
        List<MapRange> order = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            MapRange source = sources.get(i);
            MapRange target = lab.memory.range(50_000 + i * 8000L, source.length());
            lab.dma.copy(source, target, (end, failure) -> {
                assertThat(failure).isNull();
                order.add(source);
            });
        }
        lab.drain();
        assertThat(order).hasSameSizeAs(sources);
        return order;
    }
}
