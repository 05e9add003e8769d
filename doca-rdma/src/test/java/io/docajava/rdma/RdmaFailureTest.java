/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskFailedException.Reason;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests operations that the peer does not permit or cannot take, and the state of the context afterwards. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RdmaFailureTest {

    /** The rows of the guide's table: each operation in the peer's memory, and the access that it needs there. */
    @SuppressWarnings("ImmutableEnumChecker") // Access is immutable
    enum Row {
        READ(Access.RDMA_READ, "doca_rdma_task_read"),
        WRITE(Access.RDMA_WRITE, "doca_rdma_task_write"),
        WRITE_IMMEDIATE(Access.RDMA_WRITE, "doca_rdma_task_write_imm"),
        FETCH_ADD(Access.RDMA_ATOMIC, "doca_rdma_task_atomic_fetch_add"),
        COMPARE_AND_SWAP(Access.RDMA_ATOMIC, "doca_rdma_task_atomic_cmp_swp");

        private final Access needed;
        private final String function;

        Row(Access needed, String function) {
            this.needed = needed;
            this.function = function;
        }

        Completion<Long> start(RdmaLab lab) {
            return start(lab, lab.remote);
        }

        Completion<Long> start(RdmaLab lab, Mmap remote) {
            MapRange there = remote.range(0, 8);
            return switch (this) {
                case READ -> lab.connection.read(there, lab.here.memory.range(0, 8));
                case WRITE -> lab.connection.write(lab.here.filled(0, 8), there);
                case WRITE_IMMEDIATE ->
                    lab.connection.submit(RdmaOperation.writeImmediate(lab.here.filled(0, 8), there, 1));
                case FETCH_ADD -> lab.connection.fetchAdd(there, 1);
                case COMPARE_AND_SWAP -> lab.connection.compareAndSwap(there, 0, 1);
            };
        }

        Access others() {
            Access all = Access.LOCAL_READ_WRITE;
            for (Access one : List.of(Access.RDMA_READ, Access.RDMA_WRITE, Access.RDMA_ATOMIC)) {
                all = one.equals(needed) ? all : all.plus(one);
            }
            return all;
        }
    }

    /** Packets of one version of RoCE do not reach GIDs of the other. */
    @Test
    @DocaEmulator
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void gidsOfDifferentVersionsOfRoceCannotBeConnected() {
        assertNotConnectable(
                builder -> builder.gidIndex(0),
                builder -> builder.gidIndex(1),
                ": the GID index 0 of this context is of RoCE v1, that of the peer of RoCE v2");
    }

    @Test
    @DocaEmulator
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void sidesWithDifferentMtusCannotBeConnected() {
        assertNotConnectable(
                builder -> builder.mtu(Mtu.BYTES_512),
                builder -> builder.mtu(Mtu.BYTES_1024),
                ": this context has set an MTU of 512, and the peer 1024");
    }

    private static void assertNotConnectable(
            UnaryOperator<RdmaContextBuilder> ofHere, UnaryOperator<RdmaContextBuilder> ofThere, String reason) {
        try (ProgressEngine engine = ProgressEngine.create();
                Side here = new Side("mlx5_0", engine, ofHere, Side.ALL);
                Side there = new Side("mlx5_1", engine, ofThere, Side.ALL)) {
            RdmaConnection connection = here.rdma.prepareConnection();
            RdmaConnection back = there.rdma.prepareConnection();
            assertThatThrownBy(() -> connection.connect(back.details()))
                    .isInstanceOfSatisfying(
                            DocaCallException.class, e -> assertThat(e.error()).isEqualTo(DocaError.CONNECTION_ABORTED))
                    .hasMessageEndingWith(reason);
            assertThat(connection.state()).isEqualTo(ConnectionState.PREPARED);
        }
    }

    @ParameterizedTest
    @EnumSource(Row.class)
    void withThatPermissionOnly(Row row) throws Exception {
        Access enough = Access.LOCAL_READ_WRITE.plus(row.needed);
        try (RdmaLab lab = new RdmaLab(builder -> builder, builder -> builder.permissions(enough), enough)) {
            Completion<Received> receive = lab.there.rdma.receive();
            assertThat(lab.get(row.start(lab))).isNotNull();
            if (row == Row.WRITE_IMMEDIATE) {
                assertThat(lab.get(receive).kind()).isEqualTo(ReceivedKind.WRITE_IMMEDIATE);
            } else {
                assertThat(receive).isNotDone();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Row.class)
    void withoutThatPermissionOfTheMemory(Row row) {
        assertRefused(row, "range", row::start);
    }

    @Test
    void buffersWithoutThatPermissionOfTheMemory() {
        assertRefused(Row.READ, "buffer", lab -> lab.connection.read(lab.remoteData(0, 8), lab.here.space(0, 8)));
        assertRefused(Row.WRITE, "buffer", lab -> lab.connection.write(lab.here.data(0, 8), lab.remoteSpace(0, 8)));
        assertRefused(
                Row.FETCH_ADD,
                "buffer",
                lab -> lab.connection.submit(RdmaOperation.fetchAdd(lab.remoteSpace(0, 8), 1)));
    }

    private static void assertRefused(Row row, String operand, Function<RdmaLab, Completion<Long>> start) {
        try (RdmaLab lab = new RdmaLab(builder -> builder, builder -> builder, row.others())) {
            String verb = row == Row.READ ? "read from" : row.needed.equals(Access.RDMA_WRITE) ? "write to" : "change";
            assertThatThrownBy(() -> start.apply(lab))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The " + operand + " to " + verb
                            + " is in Mmap of 1048576 bytes imported on 0000:03:00.0 (mlx5_0)," + " whose access lacks "
                            + row.needed);
        }
    }

    @ParameterizedTest
    @EnumSource(Row.class)
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void withoutThatPermissionOfTheMemoryWhichIsNotKnownHere(Row row) throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder, builder -> builder, row.others())) {
            byte[] descriptor = lab.there.memory.exportRdma(lab.there.device).descriptor();
            Mmap unknown = Mmap.fromDescriptor(lab.here.device, descriptor);
            assertFails(lab, () -> row.start(lab, unknown), row.function, "the remote mmap does not permit it");
            unknown.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Row.class)
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void withoutThatPermissionOfTheContext(Row row) throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder, builder -> builder.permissions(row.others()), Side.ALL)) {
            assertFails(lab, () -> row.start(lab), row.function, "the peer's context does not permit it");
        }
    }

    /** The requesting side fails and stops. The other side does not notice, not even in a receive. */
    private static void assertFails(RdmaLab lab, Supplier<Completion<Long>> operation, String function, String reason)
            throws Exception {
        Completion<Received> receive = lab.there.rdma.receive(lab.there.memory.range(0, 8));
        Completion<Long> started = operation.get();
        TaskFailedException failure = catchThrowableOfType(TaskFailedException.class, () -> lab.get(started));
        assertThat(failure)
                .hasMessageContaining(" on " + lab.connection + ": " + function
                        + " failed with DOCA_ERROR_IO_FAILED (Input/Output Operation Failed): ")
                .hasMessageEndingWith(": " + LoggedReason.ofOperation(reason));
        assertThat(failure.error()).isEqualTo(DocaError.IO_FAILED);
        assertThat(failure.reason()).isEqualTo(Reason.ROOT_CAUSE);
        lab.await(() -> lab.here.rdma.state() == ContextState.IDLE);
        assertThat(lab.here.rdma.failure()).containsSame(failure);
        assertThat(lab.there.rdma.state()).isEqualTo(ContextState.RUNNING);
        assertThat(receive).isNotDone();
        lab.here.rdma.restart();
        lab.back.disconnect();
        lab.reconnect();
        assertThat(lab.get(lab.connection.send(lab.here.filled(100, 8)))).isEqualTo(8);
        assertThat(lab.get(receive).length()).isEqualTo(8);
    }

    @Test
    void aMessageThatIsTooLongForItsReceiveFailsBothSides() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            Buf target = lab.there.space(0, 7);
            Completion<Received> receive = lab.there.rdma.receive(target);
            Completion<Long> send = lab.connection.send(lab.here.data(0, 8));
            TaskFailedException failure = catchThrowableOfType(TaskFailedException.class, () -> lab.get(send));
            assertThat(failure)
                    .hasMessageStartingWith(
                            "Sending 8 bytes from 0 of Mmap of 1048576 bytes on 0000:03:00.0 (mlx5_0) on "
                                    + "Connection ")
                    .hasMessageContaining("doca_rdma_task_send failed with DOCA_ERROR_IO_FAILED");
            assertThatThrownBy(() -> lab.get(receive))
                    .isInstanceOfSatisfying(
                            TaskFailedException.class,
                            e -> assertThat(e.isRootCause()).isTrue())
                    .hasMessageStartingWith(
                            "Receiving up to 7 bytes to 0 of Mmap of 1048576 bytes on 0000:03:00.1 (mlx5_1)");
            assertThat(target.dataLength()).isZero();
            lab.await(() -> lab.here.rdma.state() == ContextState.IDLE && lab.there.rdma.state() == ContextState.IDLE);
            lab.here.rdma.restart();
            lab.there.rdma.restart();
            lab.reconnect();
        }
    }

    @Test
    @NeedsFunction("doca_rdma_set_rnr_retry_count")
    void aSendWithoutAReceiveFailsAfterItsRetries() throws Exception {
        assertFailsAfterItsRetries(lab -> lab.connection.send(lab.here.filled(0, 8)));
    }

    @Test
    @NeedsFunction("doca_rdma_set_rnr_retry_count")
    void aWriteWithImmediateDataWithoutAReceiveFailsAfterItsRetries() throws Exception {
        assertFailsAfterItsRetries(lab ->
                lab.connection.submit(RdmaOperation.writeImmediate(lab.here.filled(0, 8), lab.remote.range(0, 8), 1)));
    }

    private static void assertFailsAfterItsRetries(Function<RdmaLab, Completion<Long>> operation) throws Exception {
        try (RdmaLab lab = new RdmaLab(builder -> builder.rnrRetryCount(1))) {
            assertThatThrownBy(() -> lab.get(operation.apply(lab)))
                    .isInstanceOfSatisfying(
                            TaskFailedException.class,
                            e -> assertThat(e.error()).isEqualTo(DocaError.IO_FAILED))
                    .hasMessageEndingWith(": " + LoggedReason.ofOperation("the peer has posted no receive"));
            lab.await(() -> lab.here.rdma.state() == ContextState.IDLE);
            assertThat(lab.there.rdma.state()).isEqualTo(ContextState.RUNNING);
        }
    }

    @Test
    void aSendWaitsForAReceiveAsLongAsConfigured() throws Exception {
        try (RdmaLab lab = new RdmaLab(Side::retryForever)) {
            Completion<Long> send = lab.connection.send(lab.here.filled(0, 8));
            Completion<Long> behind = lab.connection.write(lab.here.filled(100, 8), lab.remote.range(100, 8));
            for (int i = 0; i < 10_000; i++) {
                lab.engine.progress();
            }
            assertThat(send).isNotDone();
            assertThat(behind).isNotDone();
            Completion<Received> receive = lab.there.rdma.receive(lab.there.memory.range(0, 8));
            assertThat(lab.get(send)).isEqualTo(8);
            assertThat(lab.get(behind)).isEqualTo(8);
            assertThat(lab.get(receive).length()).isEqualTo(8);
        }
    }

    private static RdmaLab labWhereWritesFail() {
        return new RdmaLab(builder -> builder, builder -> builder.permissions(Access.RDMA_READ), Side.ALL);
    }

    @Test
    void aFailureTakesEverythingElseOfTheContextWithIt() throws Exception {
        try (RdmaLab lab = labWhereWritesFail()) {
            Completion<Received> receive = lab.here.rdma.receive(lab.here.memory.range(0, 8));
            List<ContextState> states = new ArrayList<>();
            List<ConnectionState> ends = new ArrayList<>();
            lab.here.rdma.addListener((context, previous, next) -> {
                states.add(next);
                if (next == ContextState.STOPPING) {
                    assertThat(context.failure()).isPresent();
                }
            });
            lab.connection.addListener((connection, previous, next) -> ends.add(next));
            Completion<Long> write = lab.connection.write(lab.here.filled(100, 8), lab.remote.range(0, 8));
            Completion<Long> read = lab.connection.read(lab.remote.range(0, 8), lab.here.memory.range(200, 8));
            TaskFailedException rootCause = catchThrowableOfType(TaskFailedException.class, () -> lab.get(write));
            assertThatThrownBy(() -> lab.get(read)).isInstanceOfSatisfying(TaskFailedException.class, e -> {
                assertThat(e.reason()).isEqualTo(Reason.ABORTED);
                assertThat(e.rootCause()).containsSame(rootCause);
                assertThat(e.error()).isEqualTo(DocaError.BAD_STATE);
            });
            assertThatThrownBy(() -> lab.get(receive))
                    .isInstanceOfSatisfying(
                            TaskFailedException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.ABORTED));
            lab.await(() -> lab.here.rdma.state() == ContextState.IDLE);
            assertThat(states).containsExactly(ContextState.STOPPING, ContextState.IDLE);
            assertThat(ends).containsExactly(ConnectionState.DISCONNECTED);
            assertThat(lab.here.rdma.connections()).isEmpty();
            assertThat(lab.connection.send(lab.here.filled(0, 8)).exceptionNow())
                    .isInstanceOf(ContextNotRunningException.class)
                    .hasMessageStartingWith(RdmaLab.HERE + " is idle: it stopped itself after an operation failed")
                    .cause()
                    .hasMessageStartingWith("Writing 8 bytes");
        }
    }

    /** DOCA 3.0 loses count of what is in flight if it progresses before the tasks of flushed receives are freed. */
    @RepeatedTest(5)
    void operationsEndAfterTheReceivesThatAStopHasFlushed() throws Exception {
        try (RdmaLab lab = labWhereWritesFail();
                RdmaLab other = new RdmaLab()) {
            Completion<Received> first = lab.here.rdma.receive(lab.here.memory.range(0, 8));
            Completion<Received> second = lab.here.rdma.receive(lab.here.memory.range(8, 8));
            Completion<Long> write = lab.connection.write(lab.here.filled(100, 8), lab.remote.range(0, 8));
            lab.here.rdma.flush();
            // When the device has done this, it has failed the write, and the engine here does not know that.
            other.get(other.connection.read(other.remote.range(0, 8), other.here.memory.range(0, 8)));
            Completion<Long> read = lab.connection.read(lab.remote.range(0, 8), lab.here.memory.range(200, 8));
            for (Completion<?> end : List.of(write, first, second, read)) {
                assertThatThrownBy(() -> lab.get(end)).isInstanceOf(TaskFailedException.class);
            }
            lab.await(() -> lab.here.rdma.state() == ContextState.IDLE);
        }
    }

    @Test
    void receivesFailWhenTheContextStops() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            Buf target = lab.here.space(0, 8);
            List<Completion<Received>> receives =
                    List.of(lab.here.rdma.receive(target), lab.here.rdma.receive(lab.here.memory.range(8, 8)));
            lab.here.rdma.stop();
            assertThat(lab.here.rdma.state()).isEqualTo(ContextState.STOPPING);
            for (Completion<Received> receive : receives) {
                assertThatThrownBy(() -> lab.get(receive))
                        .isInstanceOfSatisfying(
                                TaskFailedException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.CANCELLED));
            }
            lab.await(() -> lab.here.rdma.state() == ContextState.IDLE);
            target.close();
        }
    }

    /** Release 2.2 has no function to end receives. Its translation fails a send, which must not reach the peer. */
    @Test
    void theEndOfReceivesSendsNothing() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            MapRange target = lab.here.memory.range(0, 8192);
            Completion<Received> kept = lab.here.rdma.receive(target);
            Completion<Received> ended = lab.there.rdma.receive(lab.there.memory.range(0, 64));
            lab.there.rdma.stop();
            assertThatThrownBy(() -> lab.get(ended)).isInstanceOf(TaskFailedException.class);
            lab.await(() -> lab.there.rdma.state() == ContextState.IDLE);
            assertThat(kept).isNotDone();
            assertThat(target.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        }
    }

    @Test
    void tasksAreUsedAgainAfterARestart() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            try (RdmaTask send = lab.connection.task(RdmaOperation.send(lab.here.filled(0, 8)));
                    RdmaTask add = lab.connection.task(RdmaOperation.fetchAdd(lab.remote.range(800, 8), 1));
                    ReceiveTask receive = lab.there.rdma.receiveTask(lab.there.memory.range(0, 64))) {
                receive.submit();
                lab.there.rdma.stop();
                lab.await(receive::isDone);
                assertThat(receive.status()).isEqualTo(TaskStatus.FAILED);
                assertThat(receive.failure()).isPresent();
                lab.here.rdma.stop();
                lab.here.rdma.restart();
                lab.there.rdma.restart();
                lab.reconnect();
                assertThatThrownBy(send::submit)
                        .isInstanceOf(ConnectionEndedException.class)
                        .hasMessageContaining("has ended: its context has stopped");
                receive.submit();
                send.connection(lab.connection).submit();
                lab.there.setWord(800, 1);
                add.connection(lab.connection).submit();
                lab.await(() -> send.isDone() && receive.isDone() && add.isDone());
                assertThat(send.result()).isEqualTo(8);
                assertThat(receive.length()).isEqualTo(8);
                assertThat(add.result()).isEqualTo(1);
                assertThat(receive.connection()).isSameAs(lab.back);
            }
        }
    }

    @Test
    void anExporterThatClosesItsMemoryFailsThoseWhoUseIt() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            lab.there.memory.close();
            assertThatThrownBy(() -> lab.get(lab.connection.write(lab.here.filled(0, 8), lab.remote.range(0, 8))))
                    .isInstanceOfSatisfying(
                            TaskFailedException.class,
                            e -> assertThat(e.error()).isEqualTo(DocaError.IO_FAILED));
        }
    }
}
