/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphFailedException;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.SubGraphNode;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import io.docajava.testing.HostileException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests runs of graphs, and their effect on tasks and buffers, also when they fail. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class GraphTest extends CompletionModes {

    private static final Duration LONG = Await.LIMIT;
    private static final String IN_FLIGHT =
            "Cannot submit a task in flight of the DMA context on " + Lab.DEVICE + ": progress until it is done";

    private final List<String> log = new ArrayList<>();

    /** Two copies, each followed by a user node. The second copies the data that the first one has written. */
    private class Pipeline implements AutoCloseable {

        final Lab lab;
        final MapRange middle;
        final MapRange target;
        final DmaTask first;
        final DmaTask second;
        final Graph graph;
        final GraphInstance instance;

        Pipeline() {
            this(new Lab());
        }

        private Pipeline(Lab lab) {
            this(
                    lab,
                    lab.dma.task(lab.filled(0, 64), lab.memory.range(1000, 64)),
                    lab.dma.task(lab.memory.range(1000, 64), lab.memory.range(2000, 64)));
        }

        Pipeline(Lab lab, DmaTask first, DmaTask second) {
            this.lab = lab;
            this.first = first;
            this.second = second;
            middle = lab.memory.range(1000, 64);
            target = lab.memory.range(2000, 64);
            GraphBuilder plan = Graph.builder(lab.engine);
            ContextNode firstCopy = plan.context("first copy", lab.dma);
            ContextNode secondCopy = plan.context("second copy", lab.dma);
            UserNode<MapRange> afterFirst = plan.user("after first", GraphTest.this::note);
            UserNode<MapRange> afterSecond = plan.user("after second", GraphTest.this::note);
            graph = plan.dependency(firstCopy, afterFirst)
                    .dependency(afterFirst, secondCopy)
                    .dependency(secondCopy, afterSecond)
                    .start();
            instance = graph.instance()
                    .set(firstCopy, first)
                    .set(secondCopy, second)
                    .set(afterFirst, middle)
                    .set(afterSecond, target);
        }

        void clear() {
            clearBytes(middle);
            clearBytes(target);
        }

        @Override
        public void close() {
            instance.close();
            graph.close();
            lab.close();
        }
    }

    /** The same copies by tasks of buffers, which can be {@linkplain Lab#spoil spoiled}. */
    private final class BufPipeline extends Pipeline {

        final Buf sourceBuf;
        final Buf middleBuf;
        final Buf targetBuf;

        BufPipeline() {
            this(new Lab());
        }

        private BufPipeline(Lab lab) {
            this(lab, lab.data(0, 64), lab.space(1000, 64), lab.space(2000, 64));
        }

        private BufPipeline(Lab lab, Buf sourceBuf, Buf middleBuf, Buf targetBuf) {
            super(lab, lab.dma.task(sourceBuf, middleBuf), lab.dma.task(middleBuf, targetBuf));
            this.sourceBuf = sourceBuf;
            this.middleBuf = middleBuf;
            this.targetBuf = targetBuf;
        }

        @Override
        void clear() {
            super.clear();
            middleBuf.clear();
            targetBuf.clear();
        }
    }

    private void note(MapRange range) {
        log.add(range.offset() + ": " + copied(range));
    }

    /** Returns how many bytes at the start of a range are those that {@link Lab#filled} writes to the start of the memory. */
    private static long copied(MapRange range) {
        long copied = 0;
        while (copied < range.length() && range.segment().get(ValueLayout.JAVA_BYTE, copied) == Lab.byteAt(copied)) {
            copied++;
        }
        return copied;
    }

    private static void clearBytes(MapRange range) {
        range.segment().fill((byte) 0);
    }

    @Test
    void runsCopiesThatUseOneAnothersResults() throws Exception {
        try (Pipeline pipeline = new Pipeline()) {
            Completion<GraphInstance> done = pipeline.instance.submit();
            assertThat(pipeline.instance.isRunning()).isTrue();
            assertThat(pipeline.lab.dma.inFlight()).isEqualTo(2);
            assertThat(pipeline.first.status()).isEqualTo(TaskStatus.IN_FLIGHT);
            assertThat(pipeline.first.bytes()).isZero();
            assertThatThrownBy(pipeline.first::submit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(IN_FLIGHT);
            assertThat(done.await(LONG)).isSameAs(pipeline.instance);
            assertThat(log).containsExactly("1000: 64", "2000: 64");
            assertThat(pipeline.first.status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(pipeline.first.bytes()).isEqualTo(64);
            assertThat(pipeline.second.bytes()).isEqualTo(64);
            assertThat(pipeline.lab.dma.inFlight()).isZero();
            pipeline.lab.assertCopied(0, 1000, 64);
            pipeline.lab.assertCopied(0, 2000, 64);
        }
    }

    @Test
    void runsCopiesOfBuffers() throws Exception {
        try (BufPipeline pipeline = new BufPipeline()) {
            for (int run = 0; run < 3; run++) {
                pipeline.clear();
                Completion<GraphInstance> done = pipeline.instance.submit();
                assertThat(pipeline.lab.dma.inFlight()).isEqualTo(2);
                assertThat(pipeline.middleBuf.dataLength()).isZero();
                done.await(LONG);
                assertThat(pipeline.second.bytes()).isEqualTo(64);
                assertThat(pipeline.middleBuf.dataLength()).isEqualTo(64);
                assertThat(pipeline.targetBuf.dataLength()).isEqualTo(64);
                assertThat(pipeline.lab.dma.inFlight()).isZero();
                pipeline.lab.assertCopied(0, 2000, 64);
            }
            assertThat(log).hasSize(6).containsOnly("1000: 64", "2000: 64");
        }
    }

    @Test
    void runsAgainAndBetweenRunsTheTasksAreFree() throws Exception {
        try (Pipeline pipeline = new Pipeline()) {
            for (int i = 0; i < 3; i++) {
                pipeline.clear();
                pipeline.instance.submit().await(LONG);
            }
            assertThat(log).hasSize(6);
            List<DmaTask> completed = new ArrayList<>();
            pipeline.first.onCompletion(completed::add);
            pipeline.clear();
            pipeline.first.submit();
            pipeline.lab.drain();
            assertThat(completed).containsExactly(pipeline.first);
            assertThat(copied(pipeline.middle)).isEqualTo(64);
            pipeline.clear();
            pipeline.instance.submit().await(LONG);
            assertThat(completed).hasSize(1);
        }
    }

    @Test
    void resubmitsFromItsCompletion() throws Exception {
        try (Pipeline pipeline = new Pipeline()) {
            int[] runs = {0};
            submit(pipeline, runs);
            assertThat(pipeline.lab.engine.await(() -> runs[0] == 100, LONG))
                    .as("waits for 100 runs of the graph")
                    .isTrue();
            assertThat(log).hasSize(200);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the count shows the results
    private static void submit(Pipeline pipeline, int[] runs) {
        pipeline.clear();
        Completion<GraphInstance> done = pipeline.instance.submit();
        done.whenComplete((instance, failure) -> {
            if (++runs[0] < 100) {
                submit(pipeline, runs);
            }
        });
    }

    @Test
    void keepsBuffersInUse() throws Exception {
        try (BufPipeline pipeline = new BufPipeline()) {
            Completion<GraphInstance> done = pipeline.instance.submit();
            assertThatThrownBy(pipeline.middleBuf::clear)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("A buffer that a task in flight uses cannot be changed or closed");
            assertThatThrownBy(() -> pipeline.lab.dma.copy(pipeline.sourceBuf, pipeline.targetBuf))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The target is used by another copy in flight");
            assertThatThrownBy(pipeline.first::submit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(IN_FLIGHT);
            done.await(LONG);
        }
    }

    @Test
    void runsGraphsInGraphs() throws Exception {
        try (Pipeline inner = new Pipeline()) {
            Lab lab = inner.lab;
            MapRange last = lab.memory.range(3000, 64);
            GraphBuilder plan = Graph.builder(lab.engine);
            UserNode<String> before = plan.user("before", log::add);
            SubGraphNode part = plan.graph("part", inner.graph);
            ContextNode copy = plan.context("copy", lab.dma);
            UserNode<MapRange> after = plan.user(this::note);
            plan.dependency(before, part).dependency(part, copy).dependency(copy, after);
            try (DmaTask task = lab.dma.task(inner.target, last);
                    Graph outer = plan.start();
                    GraphInstance instance = outer.instance()) {
                instance.set(before, "before")
                        .set(part, inner.instance)
                        .set(copy, task)
                        .set(after, last);
                instance.submit().await(LONG);
                assertThat(log).containsExactly("before", "1000: 64", "2000: 64", "3000: 64");
                lab.assertCopied(0, 3000, 64);
                assertThatThrownBy(inner.graph::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "Graph of 4 nodes cannot be closed while in use by: GraphInstance 0 of the Graph of 4"
                                        + " nodes, Graph of 4 nodes");
                // The part still runs by itself.
                inner.clear();
                inner.instance.submit().await(LONG);
            }
        }
    }

    @Test
    void runsAGraphWhoseOnlyContextsAreThoseOfASubGraph() throws Exception {
        try (Pipeline inner = new Pipeline()) {
            Lab lab = inner.lab;
            GraphBuilder plan = Graph.builder(lab.engine);
            SubGraphNode part = plan.graph("part", inner.graph);
            UserNode<String> after = plan.user("after", log::add);
            plan.dependency(part, after);
            try (Graph outer = plan.start();
                    GraphInstance instance = outer.instance()) {
                instance.set(part, inner.instance).set(after, "after");
                for (int run = 0; run < 2; run++) {
                    inner.clear();
                    instance.submit().await(LONG);
                }
                assertThat(log).containsExactly("1000: 64", "2000: 64", "after", "1000: 64", "2000: 64", "after");
            }
        }
    }

    @Test
    void aUserNodeThatThrowsFailsItsInstanceAndNothingElse() throws Exception {
        try (Lab lab = new Lab()) {
            GraphBuilder plan = Graph.builder(lab.engine);
            ContextNode copy = plan.context(lab.dma);
            UserNode<Throwable> user = plan.user("thrower", thrown -> {
                if (thrown instanceof Exception exception) {
                    throw exception;
                }
                throw (Error) thrown;
            });
            UserNode<String> behind = plan.user(log::add);
            plan.dependency(copy, user).dependency(user, behind);
            MapRange target = lab.memory.range(1000, 64);
            try (DmaTask task = lab.dma.task(lab.filled(0, 64), target);
                    Graph graph = plan.start();
                    GraphInstance instance = graph.instance()) {
                instance.set(copy, task).set(behind, "behind");
                for (Throwable thrown : List.of(
                        new IllegalStateException("no"), new StackOverflowError(), new InterruptedException())) {
                    instance.set(user, thrown);
                    clearBytes(target);
                    Completion<GraphInstance> done = instance.submit();
                    while (!done.isDone()) {
                        lab.engine.progress();
                    }
                    assertThat(Thread.interrupted()).isEqualTo(thrown instanceof InterruptedException);
                    assertThat(done.exceptionNow())
                            .isInstanceOfSatisfying(GraphFailedException.class, failure -> {
                                assertThat(failure.node()).containsSame(user);
                                assertThat(failure).hasCause(thrown);
                            })
                            .hasMessage(
                                    "GraphInstance 0 of the Graph of 3 nodes failed at node 1 \"thrower\": " + thrown);
                    // The node has received the result.
                    assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
                    assertThat(task.bytes()).isEqualTo(64);
                    assertThat(copied(target)).isEqualTo(64);
                }
                assertThat(log).isEmpty();
                assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
                assertThat(lab.reported).isEmpty();
            }
        }
    }

    @Test
    void aRunEndsAlthoughTheMethodsOfItsExceptionThrow() throws Exception {
        try (Lab lab = new Lab()) {
            GraphBuilder plan = Graph.builder(lab.engine);
            HostileException thrown = new HostileException();
            UserNode<Void> user = plan.user(nothing -> {
                throw thrown;
            });
            ContextNode copy = plan.context(lab.dma);
            plan.dependency(copy, user);
            try (DmaTask task = lab.dma.task(lab.filled(0, 64), lab.memory.range(1000, 64));
                    Graph graph = plan.start();
                    GraphInstance instance = graph.instance()) {
                Completion<GraphInstance> done = instance.set(copy, task).submit();
                assertThat(lab.engine.await(done::isDone, LONG))
                        .as("waits for the end of the run that fails")
                        .isTrue();
                assertThat(done.exceptionNow().getCause()).isSameAs(thrown);
                assertThat(done.exceptionNow().getMessage())
                        .isEqualTo("GraphInstance 0 of the Graph of 2 nodes failed at node 0: "
                                + HostileException.class.getName());
                assertThat(instance.isRunning()).isFalse();
            }
            assertThat(lab.reported).isEmpty();
        }
    }

    /** The SDK ignores the result of a user node and continues with the dependent nodes. */
    @Test
    void noUserNodeRunsAfterOneThatThrew() throws Exception {
        try (Lab lab = new Lab()) {
            RuntimeException thrown = new IllegalStateException("no");
            boolean[] throwing = {true};
            GraphBuilder plan = Graph.builder(lab.engine);
            UserNode<Void> thrower = plan.user("thrower", nothing -> {
                log.add("thrower");
                if (throwing[0]) {
                    throw thrown;
                }
            });
            ContextNode copy = plan.context("copy", lab.dma);
            UserNode<MapRange> behind = plan.user("behind", this::note);
            plan.dependency(thrower, copy).dependency(copy, behind);
            MapRange target = lab.memory.range(1000, 64);
            try (DmaTask task = lab.dma.task(lab.filled(0, 64), target);
                    Graph graph = plan.start();
                    GraphInstance instance = graph.instance()) {
                instance.set(copy, task).set(behind, target);
                for (int run = 0; run < 2; run++) {
                    Completion<GraphInstance> failed = instance.submit();
                    assertThat(lab.engine.await(failed::isDone, LONG))
                            .as("waits for the end of the run that fails")
                            .isTrue();
                    assertThat(failed.exceptionNow())
                            .isInstanceOf(GraphFailedException.class)
                            .hasMessage(
                                    "GraphInstance 0 of the Graph of 3 nodes failed at node 0 \"thrower\": " + thrown)
                            .hasCause(thrown);
                    assertThat(task.bytes()).isZero();
                    assertThat(task.status()).isEqualTo(TaskStatus.NEW);
                    assertThat(lab.dma.inFlight()).isZero();
                }
                assertThat(log).containsExactly("thrower", "thrower");
                throwing[0] = false;
                clearBytes(target);
                instance.submit().await(LONG);
                assertThat(log).endsWith("thrower", "1000: 64");
                lab.assertCopied(0, 1000, 64);
                Completion<Long> after = lab.dma.copy(lab.filled(64, 64), lab.memory.range(1064, 64));
                assertThat(after.await(LONG)).isEqualTo(64);
                lab.assertCopied(0, 1000, 128);
                assertThat(lab.reported).isEmpty();
            }
        }
    }

    @Test
    void aUserNodeThatThrowsInASubGraphFailsTheWhole() throws Exception {
        try (Lab lab = new Lab()) {
            Exception thrown = new Exception("no");
            GraphBuilder innerPlan = Graph.builder(lab.engine);
            ContextNode innerCopy = innerPlan.context("inner copy", lab.dma);
            UserNode<Exception> thrower = innerPlan.user("thrower", exception -> {
                throw exception;
            });
            innerPlan.dependency(innerCopy, thrower);
            try (Graph inner = innerPlan.start()) {
                GraphBuilder plan = Graph.builder(lab.engine);
                SubGraphNode part = plan.graph("part", inner);
                UserNode<String> behind = plan.user("behind", log::add);
                ContextNode last = plan.context("last", lab.dma);
                plan.dependency(part, behind).dependency(behind, last);
                try (DmaTask first = lab.dma.task(lab.filled(0, 64), lab.memory.range(1000, 64));
                        DmaTask second = lab.dma.task(lab.filled(64, 64), lab.memory.range(2000, 64));
                        Graph outer = plan.start();
                        GraphInstance innerInstance = inner.instance();
                        GraphInstance instance = outer.instance()) {
                    innerInstance.set(innerCopy, first).set(thrower, thrown);
                    instance.set(part, innerInstance).set(behind, "behind").set(last, second);
                    Completion<GraphInstance> failed = instance.submit();
                    assertThat(lab.engine.await(failed::isDone, LONG))
                            .as("waits for the end of the run that fails")
                            .isTrue();
                    assertThat(failed.exceptionNow())
                            .isInstanceOfSatisfying(
                                    GraphFailedException.class,
                                    failure -> assertThat(failure.node()).containsSame(thrower))
                            .hasMessage(
                                    "GraphInstance 0 of the Graph of 3 nodes failed at node 1 \"thrower\": " + thrown)
                            .hasCause(thrown);
                    assertThat(log).isEmpty();
                    assertThat(lab.dma.inFlight()).isZero();
                }
            }
        }
    }

    @Test
    void aFailedTaskOfASubGraphFailsTheWhole() throws Exception {
        try (BufPipeline inner = new BufPipeline()) {
            Lab lab = inner.lab;
            GraphBuilder middlePlan = Graph.builder(lab.engine);
            SubGraphNode innerPart = middlePlan.graph("inner part", inner.graph);
            UserNode<String> afterInner = middlePlan.user("after inner", log::add);
            middlePlan.dependency(innerPart, afterInner);
            try (Graph middle = middlePlan.start()) {
                GraphBuilder plan = Graph.builder(lab.engine);
                SubGraphNode part = plan.graph("part", middle);
                ContextNode last = plan.context("last", lab.dma);
                plan.dependency(part, last);
                MapRange target = lab.memory.range(3000, 64);
                try (DmaTask task = lab.dma.task(inner.target, target);
                        Graph outer = plan.start();
                        GraphInstance middleInstance = middle.instance();
                        GraphInstance instance = outer.instance()) {
                    middleInstance.set(innerPart, inner.instance).set(afterInner, "after inner");
                    instance.set(part, middleInstance).set(last, task);
                    Lab.spoil(inner.sourceBuf);
                    Completion<GraphInstance> run = instance.submit();
                    assertThat(lab.engine.await(run::isDone, LONG))
                            .as("waits for the end of the run that fails")
                            .isTrue();
                    TaskFailedException rootCause = inner.first.failure().orElseThrow();
                    assertThat(run.exceptionNow())
                            .isInstanceOfSatisfying(
                                    GraphFailedException.class,
                                    failure -> assertThat(failure.node().map(Object::toString))
                                            .contains("node 0 \"first copy\""))
                            .hasMessage("GraphInstance 0 of the Graph of 2 nodes failed at node 0 \"first copy\": "
                                    + rootCause.getMessage())
                            .hasCause(rootCause);
                    assertThat(log).isEmpty();
                    assertThat(task.status()).isEqualTo(TaskStatus.NEW);
                    assertThat(List.of(instance, middleInstance, inner.instance))
                            .noneMatch(GraphInstance::isRunning);

                    Lab.repair(inner.sourceBuf);
                    lab.dma.restart();
                    instance.submit().await(LONG);
                    assertThat(log).containsExactly("1000: 64", "2000: 64", "after inner");
                    lab.assertCopied(0, 3000, 64);
                }
            }
        }
    }

    @Test
    void aTaskThatFailsAfterASubGraphFailsItsInstance() throws Exception {
        try (Pipeline inner = new Pipeline()) {
            Lab lab = inner.lab;
            GraphBuilder plan = Graph.builder(lab.engine);
            SubGraphNode part = plan.graph("part", inner.graph);
            ContextNode last = plan.context("last", lab.dma);
            plan.dependency(part, last);
            Buf source = lab.data(64, 64);
            try (DmaTask task = lab.dma.task(source, lab.space(3000, 64));
                    Graph outer = plan.start();
                    GraphInstance instance =
                            outer.instance().set(part, inner.instance).set(last, task)) {
                Lab.spoil(source);
                Completion<GraphInstance> run = instance.submit();
                assertThat(lab.engine.await(run::isDone, LONG))
                        .as("waits for the end of the run that fails")
                        .isTrue();
                assertThat(run.exceptionNow())
                        .isExactlyInstanceOf(GraphFailedException.class)
                        .hasMessageStartingWith("GraphInstance 0 of the Graph of 2 nodes failed at node 1 \"last\": ");
                assertThat(log).containsExactly("1000: 64", "2000: 64");
                Lab.repair(source);
            }
        }
    }

    @Test
    void theEndOfAPartIsNotTheEndOfTheWhole() throws Exception {
        try (Pipeline inner = new Pipeline()) {
            Lab lab = inner.lab;
            GraphBuilder plan = Graph.builder(lab.engine);
            SubGraphNode part = plan.graph("part", inner.graph);
            ContextNode copy = plan.context("copy", lab.dma);
            plan.dependency(part, copy);
            MapRange last = lab.memory.range(3000, 64);
            try (DmaTask task = lab.dma.task(inner.target, last);
                    Graph outer = plan.start();
                    GraphInstance instance =
                            outer.instance().set(part, inner.instance).set(copy, task)) {
                for (int run = 0; run < 20; run++) {
                    inner.clear();
                    clearBytes(last);
                    Completion<GraphInstance> whole = instance.submit();
                    CompletableFuture<Boolean> copied =
                            whole.thenApply(ended -> copied(last) == 64 && lab.dma.inFlight() == 0);
                    whole.await(LONG);
                    assertThat(copied).isCompletedWithValue(true);
                    // The instance has just run as a part and now runs by itself. The next round runs it
                    // as a part again.
                    inner.clear();
                    assertThat(inner.instance.submit().await(LONG)).isSameAs(inner.instance);
                }
            }
        }
    }

    @Test
    void aFailedTaskFailsItsInstanceAndItsContext() throws Exception {
        try (BufPipeline pipeline = new BufPipeline()) {
            List<String> states = new ArrayList<>();
            DmaContext dma = pipeline.lab.dma;
            dma.addListener((context, previous, next) ->
                    states.add(next + " " + dma.failure().isPresent()));
            Lab.spoil(pipeline.sourceBuf);
            Completion<GraphInstance> done = pipeline.instance.submit();
            assertThat(pipeline.lab.engine.await(done::isDone, LONG))
                    .as("waits for the end of the run")
                    .isTrue();
            GraphFailedException failure = (GraphFailedException) done.exceptionNow();
            TaskFailedException rootCause = (TaskFailedException) Objects.requireNonNull(failure.getCause());
            assertThat(failure.node().map(Object::toString)).contains("node 0 \"first copy\"");
            assertThat(failure)
                    .hasMessage("GraphInstance 0 of the Graph of 4 nodes failed at node 0 \"first copy\": "
                            + rootCause.getMessage());
            assertThat(rootCause)
                    .hasMessageMatching(
                            Pattern.quote("Copying 64 bytes from 0 of Mmap of 1048576 bytes on " + Lab.DEVICE
                                            + " to 1000 of Mmap of 1048576 bytes on " + Lab.DEVICE
                                            + ": doca_dma_task_memcpy failed with DOCA_ERROR_IO_FAILED (Input/Output"
                                            + " Operation Failed): ")
                                    + "\\S.*");
            assertThat(rootCause.isRootCause()).isTrue();
            assertThat(dma.failure()).containsSame(rootCause);
            assertThat(pipeline.first.status()).isEqualTo(TaskStatus.FAILED);
            assertThat(pipeline.first.failure()).containsSame(rootCause);
            assertThat(pipeline.second.status()).isEqualTo(TaskStatus.NEW);
            assertThat(pipeline.middleBuf.dataLength()).isZero();
            assertThat(log).isEmpty();

            Lab.repair(pipeline.sourceBuf);
            dma.restart();
            assertThat(states).containsExactly("STOPPING true", "IDLE true", "RUNNING false");
            pipeline.instance.submit().await(LONG);
            assertThat(log).containsExactly("1000: 64", "2000: 64");
        }
    }

    @Test
    void theFirstOfTwoFailedTasksIsNamed() throws Exception {
        try (Lab lab = new Lab();
                DmaContext other = DmaContext.builder(lab.device).start(lab.engine)) {
            Buf firstSource = lab.data(0, 64);
            Buf secondSource = lab.data(64, 64);
            GraphBuilder plan = Graph.builder(lab.engine);
            ContextNode first = plan.context("first copy", lab.dma);
            ContextNode second = plan.context("second copy", other);
            try (Graph graph = plan.start();
                    GraphInstance instance = graph.instance()
                            .set(first, lab.dma.task(firstSource, lab.space(1000, 64)))
                            .set(second, other.task(secondSource, lab.space(2000, 64)))) {
                Lab.spoil(firstSource);
                Lab.spoil(secondSource);
                Completion<GraphInstance> done = instance.submit();
                assertThat(lab.engine.await(done::isDone, LONG))
                        .as("waits for the end of the run")
                        .isTrue();
                GraphFailedException failure = (GraphFailedException) done.exceptionNow();
                assertThat(failure.node().map(Object::toString)).contains("node 0 \"first copy\"");
                assertThat(lab.dma.failure().map(Object.class::cast)).containsSame(failure.getCause());
            }
        }
    }

    @Test
    @DocaEmulator
    @SuppressWarnings("try")
    void aRunEndsAlthoughTheStateOfItsContextCannotBeRead() throws Exception {
        Requirements.engine();
        for (int call = 1; call <= 3; call++) {
            try (BufPipeline pipeline = new BufPipeline()) {
                Lab lab = pipeline.lab;
                Lab.spoil(pipeline.sourceBuf);
                Completion<GraphInstance> done = pipeline.instance.submit();
                try (EmulatorFaults faults = EmulatorFaults.builder()
                        .failCall("doca_ctx_get_state", call, "UNEXPECTED")
                        .inject()) {
                    lab.awaitIdle(LONG);
                    assertThat(EmulatorFaults.failedCall()).contains("doca_ctx_get_state");
                }
                GraphFailedException failure = (GraphFailedException) done.exceptionNow();
                assertThat(failure.node().map(Object::toString)).contains("node 0 \"first copy\"");
                assertThat(lab.dma.failure()).containsSame((TaskFailedException) failure.getCause());
                assertThat(lab.reported)
                        .singleElement()
                        .satisfies(reported -> assertThat(reported)
                                .hasMessageStartingWith("Reading the state of a context: doca_ctx_get_state failed"));
                assertThat(pipeline.instance.isRunning()).isFalse();
                Lab.repair(pipeline.sourceBuf);
                lab.dma.restart();
                pipeline.instance.submit().await(LONG);
            }
        }
    }

    /** No task of the run has failed. A copy that has nothing to do with it fails, mostly in the same round of progress. */
    @Test
    @DocaEmulator
    void aRunWithoutAFailedTaskQuotesItsOwnReasonOnly() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab();
                DmaContext other = DmaContext.builder(lab.device).start(lab.engine)) {
            GraphBuilder plan = Graph.builder(lab.engine);
            UserNode<String> stop = plan.user("stop", text -> lab.dma.stop());
            ContextNode copy = plan.context("copy", lab.dma);
            Buf bad = lab.data(128, 64);
            Lab.spoil(bad);
            try (DmaTask task = lab.dma.task(lab.filled(0, 64), lab.memory.range(1000, 64));
                    Graph graph = plan.dependency(stop, copy).start();
                    GraphInstance instance = graph.instance().set(stop, "").set(copy, task)) {
                Completion<Long> failing = other.copy(bad, lab.space(2000, 64));
                Completion<GraphInstance> done = instance.submit();
                assertThat(lab.engine.await(() -> done.isDone() && failing.isDone(), LONG))
                        .as("waits for both failures")
                        .isTrue();
                String others = String.valueOf(failing.exceptionNow().getMessage());
                assertThat(done.exceptionNow())
                        .isInstanceOf(GraphFailedException.class)
                        .hasMessageContaining("doca_graph_instance_submit failed with DOCA_ERROR_UNEXPECTED")
                        .message()
                        .doesNotContain(others.substring(others.lastIndexOf("task 0x")));
            }
        }
    }

    /** No task of the run has failed, so the states of the contexts are read to explain the failure. */
    @Test
    @DocaEmulator
    @SuppressWarnings("try")
    void aRunWithoutAFailedTaskEndsAlthoughTheStateOfItsContextCannotBeRead() throws Exception {
        Requirements.engine();
        Optional<String> failedCall = Optional.of("");
        for (int call = 1; failedCall.isPresent(); call++) {
            try (Lab lab = new Lab()) {
                GraphBuilder plan = Graph.builder(lab.engine);
                UserNode<String> stop = plan.user("stop", text -> lab.dma.stop());
                ContextNode copy = plan.context("copy", lab.dma);
                try (DmaTask task = lab.dma.task(lab.filled(0, 64), lab.memory.range(1000, 64));
                        Graph graph = plan.dependency(stop, copy).start();
                        GraphInstance instance = graph.instance().set(stop, "").set(copy, task)) {
                    Completion<GraphInstance> done = instance.submit();
                    try (EmulatorFaults faults = EmulatorFaults.builder()
                            .failCall("doca_ctx_get_state", call, "UNEXPECTED")
                            .inject()) {
                        assertThat(lab.engine.await(done::isDone, LONG))
                                .as("waits for the end of the run with " + faults)
                                .isTrue();
                        failedCall = EmulatorFaults.failedCall();
                    }
                    assertThat(done.exceptionNow()).isInstanceOf(GraphFailedException.class);
                    assertThat(instance.isRunning()).isFalse();
                }
            }
        }
    }

    @Test
    void anInstanceEndsWhenItsContextStops() throws Exception {
        Requirements.engine();
        try (Pipeline pipeline = new Pipeline()) {
            Completion<GraphInstance> done = pipeline.instance.submit();
            pipeline.lab.dma.stop();
            assertThat(pipeline.lab.engine.await(done::isDone, LONG))
                    .as("waits for the end of the run")
                    .isTrue();
            assertThat(done.exceptionNow())
                    .isInstanceOf(GraphFailedException.class)
                    .satisfiesAnyOf(
                            // Either the task was not submitted,
                            notBegun -> assertThat(notBegun)
                                    .hasMessageStartingWith(
                                            "Running GraphInstance 0 of the Graph of 4 nodes: doca_graph_instance_submit"
                                                    + " failed with DOCA_ERROR_UNEXPECTED (An unexpected scenario was"
                                                    + " detected): ")
                                    .hasMessageEndingWith(". The DMA context on " + Lab.DEVICE
                                            + " is stopping: it was stopped; restart() starts it again"),
                            // or it was submitted, and aborted with the context.
                            aborted -> assertThat(aborted)
                                    .hasMessageStartingWith(
                                            "GraphInstance 0 of the Graph of 4 nodes failed at node 0 \"first copy\": ")
                                    .hasMessageEndingWith(". It was aborted, as the context was stopped"));
            assertThatThrownBy(pipeline.instance::submit)
                    .isExactlyInstanceOf(ContextNotRunningException.class)
                    .hasMessageStartingWith("DMA context on " + Lab.DEVICE + " is ");
            pipeline.lab.dma.restart();
            pipeline.instance.submit().await(LONG);
            assertThat(log).hasSize(2);
        }
    }

    @Test
    void aUserNodeMaySubmitCopiesAndStopContexts() throws Exception {
        try (Lab lab = new Lab()) {
            List<Completion<Long>> copies = new ArrayList<>();
            GraphBuilder plan = Graph.builder(lab.engine);
            ContextNode copy = plan.context(lab.dma);
            UserNode<MapRange> user = plan.user(source -> {
                copies.add(lab.dma.copy(source, lab.memory.range(5000, 64)));
                lab.dma.stop();
            });
            plan.dependency(copy, user);
            MapRange source = lab.filled(0, 64);
            try (DmaTask task = lab.dma.task(source, lab.memory.range(1000, 64));
                    Graph graph = plan.start();
                    GraphInstance instance = graph.instance().set(copy, task).set(user, source)) {
                instance.submit().await(LONG);
                lab.awaitIdle(LONG);
                assertThat(copies)
                        .singleElement()
                        .satisfies(ended -> assertThat(ended.isDone()).isTrue());
            }
        }
    }

    @Test
    void runsGraphsThatAreNestedAsDeepAsTheyCanBe() throws Exception {
        int depth = 256;
        try (Lab lab = new Lab(depth)) {
            // The data passes through the copies of all graphs, those of the innermost first.
            MapRange targets = lab.memory.range(1000, depth);
            MapRange source = lab.filled(0, 1);
            Deque<AutoCloseable> toClose = new ArrayDeque<>();
            Graph graph = null;
            GraphInstance instance = null;
            for (int i = 0; i < depth; i++) {
                GraphBuilder plan = Graph.builder(lab.engine);
                ContextNode copy = plan.context("copy", lab.dma);
                SubGraphNode part = graph == null ? null : plan.graph("part", graph);
                UserNode<MapRange> seen = plan.user(this::note);
                if (part != null) {
                    plan.dependency(part, copy);
                }
                graph = plan.dependency(copy, seen).start();
                toClose.push(graph);
                MapRange target = lab.memory.range(1000 + i, 1);
                GraphInstance around =
                        graph.instance().set(copy, lab.dma.task(source, target)).set(seen, target);
                if (part != null && instance != null) {
                    around.set(part, instance);
                }
                instance = around;
                toClose.push(instance);
                source = target;
            }
            Graph deepest = Objects.requireNonNull(graph);
            assertThatThrownBy(() -> Graph.builder(lab.engine).graph(deepest))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The Graph of 3 nodes cannot be part of another graph: there are 256 within one another"
                            + " already, as many as there can be");
            for (int i = 1; i <= 2; i++) {
                clearBytes(targets);
                Objects.requireNonNull(instance).submit().await(LONG);
                assertThat(log)
                        .hasSize(i * depth)
                        .endsWith((999 + depth) + ": 1")
                        .allMatch(line -> line.endsWith(": 1"));
            }
            for (AutoCloseable each : toClose) {
                each.close();
            }
        }
    }
}
