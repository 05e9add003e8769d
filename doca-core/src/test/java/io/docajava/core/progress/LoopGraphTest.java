/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphFailedException;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.SubGraphNode;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.core.sync.SyncLocation;
import io.docajava.core.testing.Requirements;
import io.docajava.testing.Await;
import io.docajava.testing.Work;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the end of a loop with open graphs. */
@Timeout(600)
@SuppressWarnings("try") // the tests also close resources of try
class LoopGraphTest {

    private static final int RUNS = 300;

    private final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));

    /** Closing the device fails if anything is left open on the loop. */
    @AfterEach
    void close() {
        device.close();
    }

    /** A graph inside another graph, with a node that waits until the event is 1. The thread of the loop creates both. */
    private final class Plans {

        final SyncEventContext event;
        final SyncEventTask waiting;
        final Graph part;
        final Graph whole;
        final GraphInstance partInstance;
        final GraphInstance instance;

        Plans(ProgressEngine engine) {
            event = SyncEvent.builder(device)
                    .publisher(SyncLocation.CPU)
                    .subscriber(SyncLocation.CPU)
                    .tasks()
                    .start(engine);
            waiting = event.task(SyncEventOperation.waitEqual(1));
            GraphBuilder inner = Graph.builder(engine);
            ContextNode wait = inner.context(event);
            part = inner.start();
            partInstance = part.instance().set(wait, waiting);
            GraphBuilder outer = Graph.builder(engine);
            SubGraphNode node = outer.graph(part);
            ContextNode own = outer.context(event);
            whole = outer.start();
            instance = whole.instance().set(node, partInstance).set(own, event.task(SyncEventOperation.get()));
        }

        void assertClosed() {
            assertThat(event.state()).isEqualTo(ContextState.IDLE);
            assertThatIllegalStateException().isThrownBy(whole::instance).withMessage("Graph of 2 nodes is closed");
            assertThatIllegalStateException().isThrownBy(part::instance).withMessage("Graph of 1 node is closed");
        }
    }

    @Test
    void closesGraphsThatDoNotRun() {
        Requirements.waitingTasks();
        Plans plans;
        try (ProgressLoop loop = ProgressLoop.start()) {
            plans = loop.call(Plans::new).join();
        }
        plans.assertClosed();
    }

    @Test
    void awaitsARunThatEndsInTime() {
        Requirements.waitingTasks();
        Plans plans;
        CompletableFuture<GraphInstance> run;
        try (ProgressLoop loop = ProgressLoop.start()) {
            plans = loop.call(Plans::new).join();
            run = Work.on(loop, () -> plans.instance.submit());
            plans.event.submit(SyncEventOperation.set(1)).join();
        }
        assertThat(run.join()).isSameAs(plans.instance);
        plans.assertClosed();
    }

    @Test
    void endsARunThatWaits() {
        Requirements.waitingTasks();
        ProgressLoop loop =
                ProgressLoop.builder().closeTimeout(Duration.ofMillis(200)).start();
        Plans plans = loop.call(Plans::new).join();
        CompletableFuture<GraphInstance> run = Work.on(loop, () -> plans.instance.submit());
        CompletableFuture<GraphInstance> again =
                run.exceptionallyCompose(failure -> plans.instance.submit().toCompletableFuture());
        loop.close();
        assertThatThrownBy(run::join)
                .cause()
                .isInstanceOf(GraphFailedException.class)
                .hasMessageContaining(" failed at node 0: Waiting for ")
                .hasMessageEndingWith(". It was aborted, as the context was stopped");
        assertThatThrownBy(again::join)
                .cause()
                .isInstanceOf(ContextNotRunningException.class)
                .hasMessage(plans.event + " is stopping: it was stopped; it cannot be started again: close it"
                        + " and make a new one");
        plans.assertClosed();
    }

    /** There are more runs than one round of progress ends. Closing does not depend on the idle strategy of the user. */
    @Test
    void endsRunsWithAStrategyThatFailsMeanwhile() throws Exception {
        Requirements.waitingTasks();
        ProgressLoop loop = ProgressLoop.builder()
                .name("mover")
                .closeTimeout(Duration.ofSeconds(3))
                .idleStrategy(workCount -> {
                    if (isCalledBy("endRuns")) {
                        throw new ArithmeticException("strategy is broken");
                    }
                    LockSupport.parkNanos(1_000_000);
                })
                .start();
        List<CompletableFuture<GraphInstance>> runs = Await.result(loop.call(this::manyRuns), "the start of the runs");
        loop.close();
        assertThat(runs).hasSize(RUNS).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** A callback replaces the strategy with which the loop ends runs. */
    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // the callback ends with its run
    void closesContextsAlthoughEndingTheRunsFails() throws Exception {
        Requirements.waitingTasks();
        ProgressLoop loop =
                ProgressLoop.builder().closeTimeout(Duration.ofSeconds(3)).start();
        List<CompletableFuture<GraphInstance>> all = Await.result(
                loop.call(engine -> {
                    List<CompletableFuture<GraphInstance>> runs = manyRuns(engine);
                    IdleStrategy broken = workCount -> {
                        while (!runs.stream().allMatch(CompletableFuture::isDone)) {
                            engine.progress();
                        }
                        throw new ArithmeticException("strategy is broken");
                    };
                    runs.getFirst().whenComplete((instance, failure) -> engine.idleStrategy(broken));
                    return runs;
                }),
                "the start of the runs");
        assertThatThrownBy(loop::close).isInstanceOf(ArithmeticException.class).hasMessage("strategy is broken");
        assertThat(all).hasSize(RUNS).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    private List<CompletableFuture<GraphInstance>> manyRuns(ProgressEngine engine) {
        SyncEventContext event = SyncEvent.builder(device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .tasks()
                .maxTasks(SyncEventTaskType.WAIT_EQUAL, RUNS)
                .start(engine);
        GraphBuilder builder = Graph.builder(engine).maxInstances(RUNS);
        ContextNode wait = builder.context(event);
        Graph graph = builder.start();
        return Stream.generate(() -> graph.instance().set(wait, event.task(SyncEventOperation.waitEqual(1))))
                .limit(RUNS)
                .map(instance -> instance.submit().toCompletableFuture())
                .toList();
    }

    private static boolean isCalledBy(String method) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals(method)));
    }
}
