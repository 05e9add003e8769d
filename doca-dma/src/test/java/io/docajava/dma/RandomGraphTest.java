/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphFailedException;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.GraphNode;
import io.docajava.core.graph.SubGraphNode;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests random calls on graphs: every accepted run ends, and everything can be closed. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RandomGraphTest extends CompletionModes {

    private static final int COMMANDS = 4000;
    private static final Duration LONG = Await.LIMIT;

    private final long seed =
            Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
    private final Random random = new Random(seed);

    private final List<GraphBuilder> plans = new ArrayList<>();
    private final List<GraphNode> nodes = new ArrayList<>();
    private final List<Graph> graphs = new ArrayList<>();
    private final List<GraphInstance> instances = new ArrayList<>();
    private final List<DmaTask> tasks = new ArrayList<>();
    private final List<Buf> buffers = new ArrayList<>();
    private final List<Completion<GraphInstance>> runs = new ArrayList<>();
    private int refused;

    @RepeatedTest(2)
    void survivesWhateverIsCalled() throws Exception {
        try (Lab lab = new Lab(16)) {
            for (int i = 0; i < 12; i++) {
                buffers.add(i % 2 == 0 ? lab.data(i * 256L, 64) : lab.space(i * 256L, 128));
            }
            for (int i = 0; i < COMMANDS; i++) {
                try {
                    doAnything(lab);
                } catch (IllegalStateException
                        | IllegalArgumentException
                        | ResourceExhaustedException
                        | ContextNotRunningException refusal) {
                    refused++;
                } catch (DocaException failure) {
                    throw new AssertionError("Something was asked of the SDK that it refuses", failure);
                }
            }
            quiesce(lab);
            assertThat(refused).isPositive();
            assertThat(lab.reported).isEmpty();
        } catch (Throwable failure) {
            throw new AssertionError("With -Ddoca.seed=" + seed, failure);
        }
    }

    private void doAnything(Lab lab) {
        switch (random.nextInt(18)) {
            case 0 -> plans.add(Graph.builder(lab.engine).maxInstances(1 + random.nextInt(3)));
            case 1, 2 -> nodes.add(any(plans).context(lab.dma));
            case 3 -> nodes.add(any(plans).user(data -> doInNode(lab)));
            case 4 -> nodes.add(any(plans).graph(any(graphs)));
            case 5, 6 -> any(plans).dependency(any(nodes), any(nodes));
            case 7 -> graphs.add(any(plans).start());
            case 8 -> instances.add(any(graphs).instance());
            case 9 -> tasks.add(lab.dma.task(any(buffers), any(buffers)));
            case 10, 11, 12 -> set(any(instances), any(nodes));
            case 13, 14 -> runs.add(any(instances).submit());
            case 15 -> close(random.nextInt(40));
            case 16 -> changeContext(lab);
            default -> lab.engine.progress();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is always refused
    private void doInNode(Lab lab) {
        if (random.nextInt(8) == 0) {
            throw new IllegalStateException("a user node that fails");
        }
        try {
            switch (random.nextInt(6)) {
                case 0 -> lab.engine.progress();
                case 1 -> any(tasks).submit();
                case 2 -> any(instances).submit();
                case 3 -> any(graphs).close();
                case 4 -> any(buffers).clear();
                default -> any(instances).close();
            }
        } catch (IllegalStateException
                | IllegalArgumentException
                | ResourceExhaustedException
                | ContextNotRunningException refusal) {
            refused++;
        }
    }

    /** Sets the work of a node, which may belong to another node. */
    private void set(GraphInstance instance, GraphNode node) {
        switch (node) {
            case ContextNode copy -> instance.set(copy, any(tasks));
            case UserNode<?> ignored -> any(buffers).clear();
            case SubGraphNode part -> instance.set(part, any(instances));
        }
    }

    private void close(int what) {
        switch (what) {
            case 0, 1 -> any(graphs).close();
            case 2, 3, 4 -> any(instances).close();
            case 5, 6 -> any(tasks).close();
            default -> any(buffers).setData(0, 64);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the result of the copy does not matter
    private void changeContext(Lab lab) {
        if (random.nextInt(10) == 0) {
            lab.dma.stop();
        } else if (lab.dma.state() != ContextState.RUNNING) {
            lab.dma.restart();
        } else {
            lab.dma.copy(any(buffers), any(buffers));
        }
    }

    private <T> T any(List<T> list) {
        if (list.isEmpty()) {
            throw new IllegalStateException("nothing there yet");
        }
        return list.get(random.nextInt(list.size()));
    }

    private void quiesce(Lab lab) throws Exception {
        assertThat(lab.engine.await(
                        () -> runs.stream().allMatch(Completion::isDone) && lab.engine.inFlight() == 0, LONG))
                .as("waits for the end of all runs")
                .isTrue();
        for (Completion<GraphInstance> run : runs) {
            if (run.isCompletedExceptionally()) {
                assertThat(run.exceptionNow()).isInstanceOf(GraphFailedException.class);
            }
        }
        closeInstances();
        // Sub-graphs were created before the graphs that contain them.
        graphs.reversed().forEach(Graph::close);
    }

    /** Closes instances before the instances that they run as parts, whatever the order of their creation. */
    private void closeInstances() {
        Set<GraphInstance> open = new LinkedHashSet<>(instances);
        while (!open.isEmpty()) {
            int before = open.size();
            open.removeIf(RandomGraphTest::closes);
            assertThat(open).as("instances that cannot be closed").hasSizeLessThan(before);
        }
    }

    private static boolean closes(GraphInstance instance) {
        try {
            instance.close();
            return true;
        } catch (IllegalStateException isPartOfAnOpenOne) {
            return false;
        }
    }
}
