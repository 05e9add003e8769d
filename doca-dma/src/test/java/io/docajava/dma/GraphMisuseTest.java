/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.GraphTask;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.SubGraphNode;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that graphs refuse misuse, and the messages of the exceptions. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class GraphMisuseTest {

    private static final Duration LONG = Await.LIMIT;
    private static final String CONTEXT = "DMA context on " + Lab.DEVICE;

    private Lab lab;
    private GraphBuilder plan;

    @BeforeEach
    void open() {
        lab = new Lab();
        plan = Graph.builder(lab.engine);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertWrong(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }

    private UserNode<Object> user(String name) {
        return plan.user(name, data -> {});
    }

    @Test
    void namesTheCycle() {
        UserNode<Object> a = user("a");
        UserNode<Object> b = plan.user(data -> {});
        UserNode<Object> c = user("c");
        plan.dependency(a, b).dependency(b, c).dependency(b, c);
        assertWrong(() -> plan.dependency(c, a))
                .hasMessage(
                        "node 0 \"a\" cannot depend on node 2 \"c\", as that closes a cycle: node 0 \"a\" -> node 1 ->"
                                + " node 2 \"c\" -> node 0 \"a\"");
        assertWrong(() -> plan.dependency(a, a))
                .hasMessage("node 0 \"a\" cannot depend on node 0 \"a\", as that closes a cycle: node 0 \"a\" -> node 0"
                        + " \"a\"");
    }

    @Test
    void needsANodeOfAContextOrOfAGraph() {
        user("a");
        user("b");
        assertRefused(plan::start)
                .hasMessage("A graph needs a node of a context or of a graph, and this one has 2 user nodes");
    }

    @Test
    void numberOfInstances() {
        assertWrong(() -> plan.maxInstances(0)).hasMessage("A graph has room for 1 to 65536 instances, and not 0");
        assertWrong(() -> plan.maxInstances(65537))
                .hasMessage("A graph has room for 1 to 65536 instances, and not 65537");
        plan.context(lab.dma);
        try (Graph graph = plan.maxInstances(65536).start()) {
            assertThat(graph.maxInstances()).isEqualTo(65536);
        }
    }

    @Test
    void needsTheContextsOfItsSubGraphsRunning() throws Exception {
        GraphBuilder partPlan = Graph.builder(lab.engine);
        partPlan.context(lab.dma);
        try (Graph part = partPlan.start()) {
            plan.graph(part);
            lab.dma.stop();
            assertThatThrownBy(plan::start)
                    .isExactlyInstanceOf(ContextNotRunningException.class)
                    .hasMessage(CONTEXT + " is idle: it was stopped; restart() starts it again");
            lab.dma.restart();
            plan.start().close();
        }
    }

    @Test
    void takesOpenContextsOfItsEngineOnly() throws Exception {
        DmaContext closed = DmaContext.builder(lab.device).start(lab.engine);
        closed.close();
        assertWrong(() -> plan.context(closed))
                .hasMessage("A node is of an open context of the graph's engine, and not of the " + CONTEXT);
        plan.context(lab.dma);
        lab.dma.stop();
        assertThatThrownBy(plan::start)
                .isExactlyInstanceOf(ContextNotRunningException.class)
                .hasMessage(CONTEXT + " is idle: it was stopped; restart() starts it again");
        lab.dma.restart();
        Graph graph = plan.start();
        assertRefused(plan::start).hasMessage("The graph of this builder was started");
        assertRefused(() -> plan.context(lab.dma)).hasMessage("The graph of this builder was started");
        try (ProgressEngine other = ProgressEngine.create()) {
            assertWrong(() -> Graph.builder(other).graph(graph)).hasMessage("The Graph of 1 node is of another engine");
            assertWrong(() -> Graph.builder(other).context(lab.dma))
                    .hasMessage("A node is of an open context of the graph's engine, and not of the " + CONTEXT);
        }
        graph.close();
        graph.close();
        assertRefused(() -> Graph.builder(lab.engine).graph(graph)).hasMessage("Graph of 1 node is closed");
        assertRefused(graph::instance).hasMessage("Graph of 1 node is closed");
    }

    @Test
    void closesWhatDependsOnOthersFirst() throws Exception {
        ContextNode copy = plan.context(lab.dma);
        try (Graph graph = plan.maxInstances(1).start();
                GraphInstance instance = graph.instance();
                DmaTask task = lab.dma.task(lab.memory.range(0, 64), lab.memory.range(100, 64))) {
            assertRefused(lab.dma::close).hasMessage(CONTEXT + " cannot be closed while in use by: Graph of 1 node");
            assertRefused(graph::close)
                    .hasMessage(
                            "Graph of 1 node cannot be closed while in use by: GraphInstance 0 of the Graph of 1 node");
            assertThatThrownBy(graph::instance)
                    .isExactlyInstanceOf(ResourceExhaustedException.class)
                    .hasMessage("Graph of 1 node has 1 instances, as many as it can: close one, or raise"
                            + " maxInstances()");
            Completion<GraphInstance> done = instance.set(copy, task).submit();
            assertRefused(instance::close)
                    .hasMessage("Cannot close GraphInstance 0 of the Graph of 1 node, which runs: progress until it has"
                            + " ended");
            assertRefused(instance::submit)
                    .hasMessage(
                            "Cannot submit GraphInstance 0 of the Graph of 1 node, which runs: progress until it has"
                                    + " ended");
            assertRefused(() -> instance.set(copy, task)).hasMessageStartingWith("Cannot change GraphInstance 0");
            assertRefused(task::close).hasMessageStartingWith("Cannot close a task in flight");
            done.await(LONG);
        }
    }

    @Test
    @SuppressWarnings("try") // a task is closed early
    void givesNodesOnlyWhatTheyCanRun() {
        ContextNode copy = plan.context("copy", lab.dma);
        UserNode<Object> user = user("user");
        GraphBuilder otherPlan = Graph.builder(lab.engine);
        ContextNode foreign = otherPlan.context(lab.dma);
        assertWrong(() -> plan.dependency(foreign, user)).hasMessage("The node 0 is of another graph");
        try (Graph other = otherPlan.start();
                GraphInstance otherInstance = other.instance();
                DmaContext second = DmaContext.builder(lab.device).start(lab.engine)) {
            SubGraphNode part = plan.graph(other);
            try (Graph graph = plan.start();
                    GraphInstance instance = graph.instance();
                    DmaTask task = lab.dma.task(lab.memory.range(0, 64), lab.memory.range(100, 64));
                    DmaTask foreignTask = second.task(lab.memory.range(0, 64), lab.memory.range(100, 64))) {
                assertRefused(instance::submit)
                        .hasMessage(
                                "The node 0 \"copy\" of GraphInstance 0 of the Graph of 3 nodes has no task: set one"
                                        + " before submit()");
                assertWrong(() -> instance.set(foreign, task))
                        .hasMessage("The node 0 is of another graph, and not of Graph of 3 nodes");
                assertWrong(() -> instance.set(copy, foreignTask))
                        .hasMessage("The node 0 \"copy\" is of the " + CONTEXT + ", and the task of another one on that"
                                + " device");
                assertWrong(() -> instance.set(copy, new GraphTask() {}))
                        .hasMessageStartingWith(
                                "A node runs tasks of doca-java's contexts only, and not a io.docajava");
                assertWrong(() -> instance.set(part, instance))
                        .hasMessage(
                                "The node 2 runs instances of its own sub-graph, and not GraphInstance 0 of the Graph"
                                        + " of 3 nodes");
                instance.set(copy, task);
                assertRefused(instance::submit)
                        .hasMessage("The node 2 of GraphInstance 0 of the Graph of 3 nodes has no instance of its"
                                + " sub-graph: set one before submit()");
                instance.set(part, otherInstance);
                assertRefused(instance::submit)
                        .hasMessage("The node 0 of GraphInstance 0 of the Graph of 1 node has no task: set one before"
                                + " submit()");
                // The same task is set twice.
                otherInstance.set(foreign, task);
                assertRefused(instance::submit).hasMessageStartingWith("Cannot submit a task in flight");
                assertThat(lab.dma.inFlight()).isZero();
                assertThat(instance.isRunning()).isFalse();
                assertThat(otherInstance.isRunning()).isFalse();
                task.close();
                assertRefused(instance::submit).hasMessage("The task of the " + CONTEXT + " is closed");
            }
        }
    }

    @Test
    @SuppressWarnings("try") // instances are closed early
    void anInstanceIsPartOfOneNode() {
        GraphBuilder innerPlan = Graph.builder(lab.engine);
        innerPlan.context("copy", lab.dma);
        plan.context("own", lab.dma);
        try (Graph inner = innerPlan.start()) {
            SubGraphNode first = plan.graph("first", inner);
            SubGraphNode second = plan.graph("second", inner);
            try (Graph outer = plan.start();
                    GraphInstance part = inner.instance();
                    GraphInstance next = inner.instance();
                    GraphInstance last = inner.instance();
                    GraphInstance other = outer.instance();
                    GraphInstance whole = outer.instance()) {
                whole.set(first, part).set(first, part);
                String set =
                        "GraphInstance 0 of the Graph of 1 node is set for the node 1 \"first\" of GraphInstance 1 of the"
                                + " Graph of 3 nodes, and can be a part of nothing else: make another instance";
                assertRefused(() -> whole.set(second, part)).hasMessage(set);
                assertRefused(() -> other.set(first, part)).hasMessage(set);
                assertRefused(part::close)
                        .hasMessage(
                                "Cannot close GraphInstance 0 of the Graph of 1 node, which the node 1 \"first\" of"
                                        + " GraphInstance 1 of the Graph of 3 nodes runs: close that first, or set another instance");
                // An instance that was replaced is free for another node, or to be closed.
                whole.set(first, next).set(second, part);
                assertRefused(() -> whole.set(first, part)).hasMessageContaining("is set for the node 2 \"second\"");
                whole.set(second, last);
                part.close();
                assertRefused(next::close)
                        .hasMessageStartingWith("Cannot close GraphInstance 1 of the Graph of 1 node");
                whole.close();
                other.set(first, next);
                assertRefused(next::close)
                        .hasMessageContaining(
                                "which the node 1 \"first\" of GraphInstance 0 of the Graph of 3 nodes runs");
            }
        }
    }

    @Test
    void refusesMoreNodesThanAGraphCanHaveWithThoseOfItsSubGraphs() {
        GraphBuilder partPlan = Graph.builder(lab.engine);
        for (int i = 0; i < 181; i++) {
            partPlan.context(lab.dma);
        }
        try (Graph part = partPlan.start()) {
            for (int i = 0; i < 360; i++) {
                plan.graph(part);
            }
            assertWrong(() -> plan.graph(part))
                    .hasMessage(
                            "The Graph of 181 nodes cannot be part of this graph, which would have 65702 nodes, including"
                                    + " those of its sub-graphs: it can have 65536");
        }
    }

    @Test
    void refusesTasksThatGetInEachOthersWay() throws Exception {
        ContextNode a = plan.context("a", lab.dma);
        ContextNode b = plan.context("b", lab.dma);
        Buf source = lab.data(0, 64);
        Buf middle = lab.space(1000, 128);
        Buf target = lab.space(2000, 64);
        Buf data = lab.data(3000, 64);
        try (Graph graph = plan.start();
                GraphInstance instance = graph.instance();
                DmaTask first = lab.dma.task(source, middle);
                DmaTask second = lab.dma.task(source, middle)) {
            instance.set(a, first).set(b, second);
            assertWrong(instance::submit)
                    .hasMessage("node 1 \"b\" writes to a buffer that node 0 \"a\" uses, and does not depend on it");
            first.target(data.reuseAsSpace(3000, 64));
            second.source(data).target(target);
            assertWrong(instance::submit)
                    .hasMessage("node 1 \"b\" reads a buffer that node 0 \"a\" writes to, and does not depend on it");
            second.source(source).target(source);
            assertWrong(instance::submit).hasMessage("The source of a copy cannot be its target");
            second.source(middle);
            assertWrong(instance::submit).hasMessageStartingWith("A source buffer has no data");
            second.source(source).target(target);
            Completion<Long> outside = lab.dma.copy(source, middle);
            first.target(middle);
            assertRefused(instance::submit).hasMessage("The target of node 0 \"a\" is used by another task in flight");
            outside.await();
            outside = lab.dma.copy(source, middle);
            first.source(middle).target(target);
            second.target(data);
            assertRefused(instance::submit)
                    .hasMessage("The source of node 0 \"a\" is the target of another task in flight");
            outside.await();
            assertThat(source.dataLength()).isEqualTo(64);
            assertThat(lab.dma.inFlight()).isZero();
            // No buffer is in use any more.
            List.of(source, middle, target, data).forEach(Buf::clear);
        }
    }

    @Test
    void takesSeveralTasksForOneBufferInOrder() throws Exception {
        ContextNode a = plan.context("a", lab.dma);
        ContextNode b = plan.context("b", lab.dma);
        plan.dependency(a, b);
        Buf target = lab.space(2000, 128);
        try (Graph graph = plan.start();
                GraphInstance instance = graph.instance();
                DmaTask first = lab.dma.task(lab.data(0, 64), target);
                DmaTask second = lab.dma.task(lab.data(100, 64), target)) {
            instance.set(a, first).set(b, second);
            instance.submit().await(LONG);
            assertThat(target.dataLength()).isEqualTo(128);
            lab.assertCopied(0, 2000, 64);
            lab.assertCopied(100, 2064, 64);
            assertWrong(instance::submit)
                    .hasMessage("The target has room for 0 bytes behind its data; the source has 64");
        }
    }

    @Test
    void aUserNodeCannotWaitOrClose() throws Exception {
        List<ThrowingCallable> attempts = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        ContextNode copy = plan.context(lab.dma);
        plan.user(data -> {
            for (ThrowingCallable attempt : attempts) {
                try {
                    attempt.call();
                    refusals.add("none");
                } catch (IllegalStateException refusal) {
                    refusals.add(refusal.getMessage());
                } catch (Throwable other) {
                    throw new AssertionError(other);
                }
            }
        });
        GraphBuilder other = Graph.builder(lab.engine);
        other.context(lab.dma);
        String engine = "ProgressEngine of thread \"" + Thread.currentThread().getName() + "\"";
        try (Graph graph = plan.start();
                GraphInstance instance = graph.instance();
                GraphInstance idle = graph.instance();
                DmaTask task = lab.dma.task(lab.memory.range(0, 64), lab.memory.range(100, 64))) {
            attempts.addAll(List.of(
                    lab.engine::progress,
                    () -> lab.engine.awaitEvent(Duration.ZERO),
                    lab.engine::close,
                    lab.dma::close,
                    () -> DmaContext.builder(lab.device).start(lab.engine),
                    lab.dma::restart,
                    () -> assertThat(other.start()).isNull(),
                    graph::instance,
                    graph::close,
                    idle::submit,
                    idle::close,
                    instance::close));
            instance.set(copy, task).submit().await(LONG);
            assertThat(refusals)
                    .containsExactly(
                            engine + " is running a user node of a graph, which cannot progress or wait",
                            engine + " is running a user node of a graph, which cannot progress or wait",
                            engine + " is delivering completions: a callback cannot close it",
                            refusal("close the " + CONTEXT),
                            refusal("start the " + CONTEXT),
                            refusal("restart the " + CONTEXT),
                            refusal("start a graph"),
                            refusal("make an instance of a graph"),
                            refusal("close a graph"),
                            refusal("submit an instance of a graph"),
                            refusal("close an instance of a graph"),
                            "Cannot close GraphInstance 0 of the Graph of 2 nodes, which runs: progress until it has"
                                    + " ended");
        }
        // The refused call has left nothing behind.
        other.start().close();
    }

    private static String refusal(String attempt) {
        return "A user node of a graph cannot " + attempt + ": do that after progress";
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // there is none
    void belongsToOneThread() {
        plan.context(lab.dma);
        try (Graph graph = plan.start();
                GraphInstance instance = graph.instance()) {
            for (Runnable call : List.<Runnable>of(
                    graph::instance, graph::close, instance::submit, instance::isRunning, instance::close)) {
                assertThatThrownBy(() -> CompletableFuture.runAsync(call).join())
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(" belongs to thread \"");
            }
        }
    }
}
