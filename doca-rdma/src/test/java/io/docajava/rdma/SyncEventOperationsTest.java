/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Access;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncLocation;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests operations on a sync event of the peer. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@NeedsFunction(NeedsFunction.REMOTE_EVENTS)
class SyncEventOperationsTest extends CompletionModes {

    private static final String REMOTE = "RemoteSyncEvent on 0000:03:00.0 (mlx5_0)";

    private RdmaLab lab;
    private SyncEvent event;
    private RemoteSyncEvent remote;

    @BeforeEach
    void open() {
        lab = new RdmaLab();
        event = event(lab);
        remote = RemoteSyncEvent.of(lab.here.device, event.exportRdma());
    }

    @AfterEach
    void close() {
        assertThat(lab.reported).isEmpty();
        lab.here.rdma.close();
        remote.close();
        event.close();
        lab.close();
    }

    private static SyncEvent event(RdmaLab lab) {
        return SyncEvent.builder(lab.there.device)
                .publisher(SyncLocation.CPU)
                .publisher(SyncLocation.REMOTE_NET)
                .subscriber(SyncLocation.CPU)
                .start();
    }

    @Test
    void getsSetsAndAdds() throws Exception {
        event.set(40);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.getEvent(remote))))
                .isEqualTo(40);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.addToEvent(remote, 2))))
                .isEqualTo(40);
        assertThat(event.get()).isEqualTo(42);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.addToEvent(remote, -43))))
                .isEqualTo(42);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.getEvent(remote))))
                .isEqualTo(-1);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.setEvent(remote, Long.MIN_VALUE))))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(event.newWait().timeout(RdmaLab.SOON).untilEqual(Long.MIN_VALUE))
                .isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void changesAnEventThatRunsAsAContext() throws Exception {
        try (SyncEventContext shared = SyncEvent.builder(lab.there.device)
                        .publisher(SyncLocation.CPU)
                        .publisher(SyncLocation.REMOTE_NET)
                        .subscriber(SyncLocation.CPU)
                        .tasks()
                        .start(lab.engine);
                RemoteSyncEvent itsRemote = RemoteSyncEvent.of(lab.here.device, shared.exportRdma())) {
            assertThat(lab.get(shared.submit(SyncEventOperation.set(40)))).isEqualTo(40);
            assertThat(lab.get(lab.connection.submit(RdmaOperation.addToEvent(itsRemote, 2))))
                    .isEqualTo(40);
            assertThat(lab.get(shared.submit(SyncEventOperation.get()))).isEqualTo(42);
            assertThat(lab.get(lab.connection.submit(RdmaOperation.setEvent(itsRemote, 7))))
                    .isEqualTo(7);
            assertThat(lab.get(shared.submit(SyncEventOperation.add(1)))).isEqualTo(7);
            assertThat(lab.get(lab.connection.submit(RdmaOperation.getEvent(itsRemote))))
                    .isEqualTo(8);
        }
    }

    @Test
    void callsBack() throws Exception {
        List<String> calls = new ArrayList<>();
        Handler<OperationEnd> handler = (end, failure) -> {
            if (failure != null) {
                lab.reported.add(failure);
                return;
            }
            assertThat(end.connection()).isSameAs(lab.connection);
            assertThat(end.local()).isEmpty();
            assertThat(end.remote()).isEmpty();
            calls.add(end.buffer() + " " + end.type() + " " + end.result());
        };
        lab.connection.submit(RdmaOperation.setEvent(remote, 7), handler);
        lab.connection.submit(RdmaOperation.addToEvent(remote, 1), handler);
        lab.connection.submit(RdmaOperation.getEvent(remote), handler);
        lab.here.rdma.drain(RdmaLab.SOON);
        assertThat(calls)
                .containsExactly(
                        "Optional.empty EVENT_SET 7", "Optional.empty EVENT_ADD 7", "Optional.empty EVENT_GET 8");
    }

    @Test
    void submitsTasksAgainAndAgain() throws Exception {
        try (RdmaTask set = lab.connection.task(RdmaOperation.setEvent(remote, 0));
                RdmaTask add = lab.connection.task(RdmaOperation.addToEvent(remote, 0));
                RdmaTask get = lab.connection.task(RdmaOperation.getEvent(remote));
                SyncEvent second = event(lab);
                RemoteSyncEvent secondRemote = RemoteSyncEvent.of(lab.here.device, second.exportRdma())) {
            assertThat(List.of(set.type(), add.type(), get.type()))
                    .containsExactly(RdmaTaskType.EVENT_SET, RdmaTaskType.EVENT_ADD, RdmaTaskType.EVENT_GET);
            for (int i = 0; i < 100; i++) {
                RemoteSyncEvent target = i % 2 == 0 ? remote : secondRemote;
                assertThat(run(set.operation(RdmaOperation.setEvent(target, i))))
                        .isEqualTo(i);
                assertThat(run(add.operation(RdmaOperation.addToEvent(target, 1000 + i))))
                        .isEqualTo(i);
                assertThat(run(get.operation(RdmaOperation.getEvent(target)))).isEqualTo(1000 + 2 * i);
            }
            assertThat(event.get()).isEqualTo(1000 + 2 * 98);
            assertThat(second.get()).isEqualTo(1000 + 2 * 99);
            lab.here.rdma.drain(RdmaLab.SOON);
        }
    }

    private long run(RdmaTask task) throws Exception {
        task.submit();
        lab.await(task::isDone);
        assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
        return task.result();
    }

    @Test
    void tasksTakeOperationsOfTheirTypeOnly() {
        try (RdmaTask get = lab.connection.task(RdmaOperation.getEvent(remote));
                RdmaTask set = lab.connection.task(RdmaOperation.setEvent(remote, 1));
                RdmaTask send = lab.connection.task(RdmaOperation.send(lab.here.memory.range(0, 8)))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> send.operation(RdmaOperation.getEvent(remote)))
                    .withMessage("A task to send cannot read a sync event");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> get.operation(RdmaOperation.setEvent(remote, 1)))
                    .withMessage("A task to read a sync event cannot set a sync event");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> set.operation(RdmaOperation.addToEvent(remote, 1)))
                    .withMessage("A task to set a sync event cannot add to a sync event");
        }
    }

    @Test
    void submitsManyTogether() throws Exception {
        List<Completion<Long>> additions = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            additions.add(lab.connection.submit(RdmaOperation.addToEvent(remote, 1)));
        }
        lab.here.rdma.flush();
        for (int i = 0; i < 8; i++) {
            assertThat(lab.get(additions.get(i))).isEqualTo(i);
        }
    }

    @Test
    void saysWhenNoTaskIsFree() throws Exception {
        List<Completion<Long>> additions = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            additions.add(lab.connection.submit(RdmaOperation.addToEvent(remote, 1)));
        }
        assertThat(lab.connection.submit(RdmaOperation.addToEvent(remote, 1)).exceptionNow())
                .isExactlyInstanceOf(ResourceExhaustedException.class)
                .hasMessage(
                        RdmaLab.HERE + " has no free task to add to a sync event: all 8 are in use; progress until one"
                                + " completes, or raise maxTasks(RdmaTaskType.EVENT_ADD, n)");
        for (Completion<Long> addition : additions) {
            lab.get(addition);
        }
        try (RdmaLab none = new RdmaLab(builder -> builder.maxTasks(RdmaTaskType.EVENT_GET, 0))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> none.connection.submit(RdmaOperation.getEvent(remote)))
                    .withMessage(RdmaLab.HERE + " has no tasks to read a sync event: it was built without them");
        }
    }

    @Test
    void cannotBeClosedWhileAnOperationUsesIt() throws Exception {
        Completion<Long> addition = lab.connection.submit(RdmaOperation.addToEvent(remote, 1));
        assertThatIllegalStateException()
                .isThrownBy(remote::close)
                .withMessage(REMOTE + " cannot be closed while 1 operation uses it");
        lab.get(addition);
        remote.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> lab.connection.submit(RdmaOperation.addToEvent(remote, 1)))
                .withMessage(REMOTE + " is closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> lab.connection.submit(RdmaOperation.getEvent(remote)))
                .withMessage(REMOTE + " is closed");
        assertThat(lab.here.rdma.inFlight()).isZero();
    }

    @Test
    void isForItsDeviceOnly() {
        try (RemoteSyncEvent other = RemoteSyncEvent.of(lab.there.device, event.exportRdma())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lab.connection.submit(RdmaOperation.getEvent(other)))
                    .withMessage("RemoteSyncEvent on 0000:03:00.1 (mlx5_1) was not imported for 0000:03:00.0 (mlx5_0)");
            assertThat(lab.here.rdma.inFlight()).isZero();
        }
    }

    @Test
    void failsWhenThePeerHasClosedTheEvent() {
        event.close();
        Completion<Long> addition = lab.connection.submit(RdmaOperation.addToEvent(remote, 5));
        assertThatExceptionOfType(TaskFailedException.class)
                .isThrownBy(() -> lab.get(addition))
                .withMessageStartingWith("Adding 5 to " + REMOTE + " on Connection ")
                .withMessageContaining(
                        "doca_rdma_task_remote_net_sync_event_notify_add failed with DOCA_ERROR_IO_FAILED");
        assertThat(lab.here.rdma.state()).isNotEqualTo(ContextState.RUNNING);
    }

    @Test
    void failsWithoutThePermissionOfThePeer() {
        for (Access missing : List.of(Access.RDMA_READ, Access.RDMA_WRITE, Access.RDMA_ATOMIC)) {
            try (RdmaLab strict =
                            new RdmaLab(builder -> builder, builder -> builder.permissions(allBut(missing)), Side.ALL);
                    SyncEvent strictEvent = event(strict);
                    RemoteSyncEvent imported = RemoteSyncEvent.of(strict.here.device, strictEvent.exportRdma())) {
                assertThatExceptionOfType(TaskFailedException.class)
                        .isThrownBy(() -> strict.get(operation(strict, missing, imported)))
                        .withMessageContaining("failed with DOCA_ERROR_");
                strict.here.rdma.close();
            }
        }
    }

    private static Access allBut(Access missing) {
        Access left = Access.LOCAL_READ_WRITE;
        for (Access one : List.of(Access.RDMA_READ, Access.RDMA_WRITE, Access.RDMA_ATOMIC)) {
            left = one.equals(missing) ? left : left.plus(one);
        }
        return left;
    }

    private static Completion<Long> operation(RdmaLab lab, Access needing, RemoteSyncEvent remote) {
        if (needing.equals(Access.RDMA_READ)) {
            return lab.connection.submit(RdmaOperation.getEvent(remote));
        }
        return needing.equals(Access.RDMA_WRITE)
                ? lab.connection.submit(RdmaOperation.setEvent(remote, 1))
                : lab.connection.submit(RdmaOperation.addToEvent(remote, 1));
    }
}
