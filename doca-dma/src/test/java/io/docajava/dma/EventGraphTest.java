/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphFailedException;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncLocation;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests graphs that wait for a sync event, copy, and change the event. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@EnabledIf(Offered.WAITS_FOR_EVENTS)
class EventGraphTest extends CompletionModes {

    private static final Duration LONG = Await.LIMIT;

    private final List<Long> counts = new ArrayList<>();

    private Lab lab;
    private SyncEventContext event;
    private MapRange source;
    private MapRange target;
    private SyncEventTask start;
    private SyncEventTask count;
    private SyncEventTask end;
    private ContextNode started;
    private Graph graph;
    private GraphInstance instance;

    @BeforeAll
    static void checkDevice() {
        Requirements.waitingTasks();
    }

    @BeforeEach
    void open() {
        lab = new Lab();
        event = SyncEvent.builder(lab.device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .tasks()
                .start(lab.engine);
        source = lab.filled(0, 64);
        target = lab.memory.range(1000, 64);
        start = event.task(SyncEventOperation.waitEqual(1));
        count = event.task(SyncEventOperation.add(10));
        end = event.task(SyncEventOperation.set(2));

        GraphBuilder plan = Graph.builder(lab.engine);
        started = plan.context("started", event);
        ContextNode copy = plan.context("copy", lab.dma);
        ContextNode counted = plan.context("counted", event);
        UserNode<SyncEventTask> seen = plan.user("seen", task -> counts.add(task.result()));
        ContextNode ended = plan.context("ended", event);
        graph = plan.dependency(started, copy)
                .dependency(copy, counted)
                .dependency(counted, seen)
                .dependency(seen, ended)
                .start();
        instance = graph.instance()
                .set(started, start)
                .set(copy, lab.dma.task(source, target))
                .set(counted, count)
                .set(seen, count)
                .set(ended, end);
    }

    @AfterEach
    void close() {
        instance.close();
        graph.close();
        event.close();
        lab.close();
    }

    private boolean isCopied() {
        return target.segment().mismatch(source.segment()) == -1;
    }

    @Test
    void waitsCopiesAndNotifies() throws Exception {
        for (int run = 1; run <= 3; run++) {
            target.segment().fill((byte) 0);
            event.submit(SyncEventOperation.set(0)).await();
            Completion<GraphInstance> done = instance.submit();
            assertThat(start.status()).isEqualTo(TaskStatus.IN_FLIGHT);
            assertThat(event.inFlight()).isEqualTo(3);
            assertThatThrownBy(start::submit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Cannot submit a task in flight of the " + event + ": progress until it is done");
            assertThat(event.submit(SyncEventOperation.get()).await()).isZero();
            assertThat(done).isNotDone();
            assertThat(isCopied()).isFalse();

            event.submit(SyncEventOperation.set(1)).await();
            assertThat(done.await(LONG)).isSameAs(instance);
            assertThat(isCopied()).isTrue();
            lab.assertCopied(0, 1000, 64);
            assertThat(counts).hasSize(run).containsOnly(1L);
            assertThat(count.result()).isEqualTo(1);
            assertThat(end.result()).isEqualTo(2);
            assertThat(end.status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(event.submit(SyncEventOperation.get()).await()).isEqualTo(2);
            assertThat(event.inFlight()).isZero();
        }
    }

    @Test
    void failsWhenTheEventStops() throws Exception {
        Completion<GraphInstance> done = instance.submit();
        lab.engine.progress();
        event.stop();
        assertThatThrownBy(() -> done.await(LONG))
                .isInstanceOfSatisfying(GraphFailedException.class, failure -> {
                    assertThat(failure.node().orElseThrow()).hasToString("node 0 \"started\"");
                    assertThat(failure.getCause()).isInstanceOf(TaskFailedException.class);
                })
                .hasMessageStartingWith(instance + " failed at node 0 \"started\": Waiting for the " + event
                        + " to be equal to 1: doca_sync_event_task_wait_eq failed with ");
        assertThat(start.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(start.failure()).isPresent();
        assertThat(end.status()).isEqualTo(TaskStatus.NEW);
        assertThat(end.result()).isZero();
        assertThat(isCopied()).isFalse();

        assertThatThrownBy(instance::submit).isExactlyInstanceOf(ContextNotRunningException.class);
        assertThat(start.status()).isEqualTo(TaskStatus.FAILED);
    }

    /** The native task of a failed submission has a failed status, but the run fails before it submits the task again. */
    @Test
    @DocaEmulator
    @SuppressWarnings("try")
    void anEarlierFailureOfATaskIsNotThatOfTheRun() throws Exception {
        GraphBuilder plan = Graph.builder(lab.engine);
        ContextNode waiting = plan.context("waiting", event);
        ContextNode first = plan.context("first", lab.dma);
        ContextNode stale = plan.context("stale", lab.dma);
        Buf badSource = lab.data(200, 64);
        try (DmaContext other = DmaContext.builder(lab.device).start(lab.engine);
                DmaTask begin = lab.dma.task(source, lab.memory.range(3000, 64));
                DmaTask copy = lab.dma.task(source, target);
                DmaTask bad = other.task(badSource, lab.space(2000, 64))) {
            ContextNode failing = plan.context("failing", other);
            try (Graph both = plan.dependency(waiting, stale)
                            .dependency(first, failing)
                            .start();
                    GraphInstance run = both.instance()
                            .set(waiting, start)
                            .set(first, begin)
                            .set(stale, copy)
                            .set(failing, bad)) {
                try (EmulatorFaults faults =
                        EmulatorFaults.builder().failTask(1, "AGAIN").inject()) {
                    copy.submit();
                    lab.drain();
                }
                assertThat(copy.failure())
                        .hasValueSatisfying(
                                failure -> assertThat(failure.error()).isEqualTo(DocaError.AGAIN));
                Lab.spoil(badSource);
                Completion<GraphInstance> done = run.submit();
                assertThat(lab.engine.await(() -> other.state() != ContextState.RUNNING, LONG))
                        .as("waits for the failure of the copy")
                        .isTrue();
                event.submit(SyncEventOperation.set(1)).await();
                assertThatThrownBy(() -> done.await(LONG))
                        .isInstanceOfSatisfying(GraphFailedException.class, failure -> {
                            assertThat(failure.node()).contains(failing);
                            assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
                            assertThat(failure.isRetryable()).isFalse();
                            assertThat(other.failure()).containsSame((TaskFailedException) failure.getCause());
                        });
                assertThat(copy.status()).isEqualTo(TaskStatus.NEW);
                assertThat(bad.status()).isEqualTo(TaskStatus.FAILED);

                copy.submit();
                lab.drain();
                assertThat(copy.status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
        }
    }

    @Test
    void keepsTheContextsOfItsTasksFromStopping() throws Exception {
        Completion<GraphInstance> done = instance.submit();
        lab.engine.progressAll();
        lab.dma.stop();
        assertThat(lab.dma.state()).isEqualTo(ContextState.STOPPING);
        assertThatThrownBy(() -> lab.dma.drain(Duration.ofMillis(1)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageMatching(
                        "DMA context on .*: 1 task still in flight after 1 ms: copying 64 bytes from 0 of .* to"
                                + " 1000 of .* \\(a task of a graph that runs\\)");
        assertThat(done).isNotDone();
        event.submit(SyncEventOperation.set(1)).await();
        assertThatThrownBy(() -> done.await(LONG)).isInstanceOf(GraphFailedException.class);
        lab.engine.progressAll();
        assertThat(lab.dma.state()).isEqualTo(ContextState.IDLE);
    }

    @Test
    void tasksAreOfTheNodesContext() {
        DmaTask copy = lab.dma.task(source, target);
        assertThatThrownBy(() -> instance.set(started, copy))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The node 0 \"started\" is of the " + event + ", and the task of the DMA context on "
                        + Lab.DEVICE);
    }
}
