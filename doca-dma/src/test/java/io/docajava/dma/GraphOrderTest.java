/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.GraphNode;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.MapRange;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that every node of a large random graph runs once in each run, after all its dependencies. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class GraphOrderTest {

    private static final int NODES = 1000;
    /** The number of nodes that copy; the others are user nodes. */
    private static final int COPIES = 8;

    private static final int DEPENDENCIES = 3000;
    /** The number of runs, which is larger if copies complete in any order. */
    private static final int RUNS = "threaded".equals(System.getenv("DOCA_EMULATOR_ENGINE")) ? 10_000 : 1_000;

    private static final int INSTANCES = 4;

    private final long seed =
            Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
    private final Random random = new Random(seed);
    /** The direct dependencies of each node. */
    private final List<List<Integer>> before = IntStream.range(0, NODES)
            .<List<Integer>>mapToObj(i -> new ArrayList<>())
            .toList();

    private int started;
    private int ended;

    @Test
    void runsNodesInOrderEachTime() throws Exception {
        try (Lab lab = new Lab(INSTANCES * COPIES)) {
            GraphBuilder plan = Graph.builder(lab.engine).maxInstances(INSTANCES);
            List<GraphNode> nodes = addNodes(plan, lab.dma);
            addDependencies(plan, nodes);
            try (Graph graph = plan.start()) {
                List<Trace> traces = IntStream.range(0, INSTANCES)
                        .mapToObj(i -> new Trace(lab, graph, nodes, i))
                        .toList();
                traces.forEach(this::submit);
                assertThat(lab.engine.await(() -> ended == RUNS, Await.LIMIT))
                        .as("%d of %d runs, with -Ddoca.seed=%d", ended, RUNS, seed)
                        .isTrue();
                assertThat(lab.reported).as("with -Ddoca.seed=%d", seed).isEmpty();
                traces.forEach(trace -> trace.instance.close());
            }
        }
    }

    private static List<GraphNode> addNodes(GraphBuilder plan, DmaContext dma) {
        List<GraphNode> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            int number = i;
            nodes.add(i % (NODES / COPIES) == 0 ? plan.context(dma) : plan.<Trace>user(trace -> trace.arrive(number)));
        }
        return nodes;
    }

    /** Adds dependencies from earlier to later nodes of a random order, in which the copies are anywhere. */
    private void addDependencies(GraphBuilder plan, List<GraphNode> nodes) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, NODES).boxed().toList());
        Collections.shuffle(order, random);
        for (int i = 0; i < DEPENDENCIES; i++) {
            int early = random.nextInt(NODES - 1);
            int late = early + 1 + random.nextInt(NODES - 1 - early);
            plan.dependency(nodes.get(order.get(early)), nodes.get(order.get(late)));
            before.get(order.get(late)).add(order.get(early));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // its exceptions are reported
    private void submit(Trace trace) {
        started++;
        trace.begin();
        trace.instance.submit().whenComplete((instance, failure) -> {
            if (failure != null) {
                throw new AssertionError("Run " + started, failure);
            }
            trace.check();
            ended++;
            if (started < RUNS) {
                submit(trace);
            }
        });
    }

    /** Tracks the runs of the nodes of one instance. */
    private final class Trace {

        final GraphInstance instance;
        final List<MapRange> targets = new ArrayList<>();
        /** The last run of each node. */
        private final int[] lastRun = new int[NODES];
        /** The targets of copies by node number. */
        private final @Nullable MapRange[] targetOf = new MapRange[NODES];

        private final MapRange source;

        private int run;
        private int arrived;

        Trace(Lab lab, Graph graph, List<GraphNode> nodes, int number) {
            instance = graph.instance();
            source = lab.filled(0, 64);
            for (int i = 0; i < NODES; i++) {
                if (nodes.get(i) instanceof ContextNode copy) {
                    MapRange target = lab.memory.range(1000 + 64L * (number * COPIES + targets.size()), 64);
                    targets.add(target);
                    targetOf[i] = target;
                    instance.set(copy, lab.dma.task(source, target));
                } else {
                    @SuppressWarnings("unchecked") // all elements have this type
                    UserNode<Trace> user = (UserNode<Trace>) nodes.get(i);
                    instance.set(user, this);
                }
            }
        }

        void begin() {
            run++;
            arrived = 0;
            targets.forEach(target -> target.segment().fill((byte) 0));
        }

        void arrive(int node) {
            for (int earlier : before.get(node)) {
                MapRange target = targetOf[earlier];
                if (target == null ? lastRun[earlier] != run : !isCopied(target)) {
                    throw new AssertionError("Node " + node + " before node " + earlier);
                }
            }
            if (lastRun[node] == run) {
                throw new AssertionError("Node " + node + " twice");
            }
            lastRun[node] = run;
            arrived++;
        }

        void check() {
            if (arrived != NODES - COPIES) {
                throw new AssertionError(arrived + " nodes have run");
            }
            assertThat(targets).allMatch(this::isCopied);
        }

        private boolean isCopied(MapRange target) {
            return target.segment().mismatch(source.segment()) == -1;
        }
    }
}
