/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests that misuse is refused with a helpful message, and that the connection still works afterwards. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RdmaMisuseTest {

    private static final String MEMORY = "Mmap of 1048576 bytes on 0000:03:00.0 (mlx5_0)";
    private static final String REMOTE = "Mmap of 1048576 bytes imported on 0000:03:00.0 (mlx5_0)";

    private RdmaLab lab;

    @BeforeEach
    void open() {
        lab = new RdmaLab(builder -> builder.maxTasks(2).maxReceives(2).maxSendListLength(2));
    }

    @AfterEach
    void stillWorks() throws Exception {
        Completion<Received> receive = lab.there.rdma.receive(lab.there.space(900_000, 32));
        assertThat(lab.get(lab.connection.send(lab.here.data(900_000, 32)))).isEqualTo(32);
        lab.get(receive);
        assertThat(lab.get(lab.connection.write(lab.here.data(900_000, 32), lab.remoteSpace(950_000, 32))))
                .isEqualTo(32);
        lab.assertSame(900_000, 950_000, 32);
        assertThat(lab.reported).isEmpty();
        lab.close();
    }

    @Test
    void localMemoryInPlaceOfThePeers() {
        Buf local = lab.here.space(0, 64);
        Buf data = lab.here.data(100, 64);
        assertIllegalArgument(
                () -> lab.connection.write(data, local),
                "The buffer to write to is in " + MEMORY
                        + ", which is memory of this process: import what the peer has exported for RDMA");
        assertIllegalArgument(
                () -> lab.connection.read(data, local),
                "The buffer to read from is in " + MEMORY
                        + ", which is memory of this process: import what the peer has exported for RDMA");
        assertIllegalArgument(
                () -> lab.connection.submit(RdmaOperation.fetchAdd(local, 1)),
                "The buffer to change is in " + MEMORY
                        + ", which is memory of this process: import what the peer has exported for RDMA");
    }

    @Test
    void thePeersMemoryInPlaceOfLocalMemory() {
        Buf remote = lab.remoteSpace(0, 64);
        Buf data = lab.remoteData(100, 64);
        assertIllegalArgument(
                () -> lab.connection.send(data),
                "The source is in " + REMOTE
                        + ", which is memory of a peer: it is for the other side of a read, a write or an atomic operation");
        assertIllegalArgument(
                () -> lab.connection.read(data, remote),
                "The target is in " + REMOTE
                        + ", which is memory of a peer: it is for the other side of a read, a write or an atomic operation");
        assertIllegalArgument(
                () -> lab.here.rdma.receive(remote),
                "The target is in " + REMOTE
                        + ", which is memory of a peer: it is for the other side of a read, a write or an atomic operation");
    }

    @Test
    void buffersThatDoNotFit() {
        assertIllegalArgument(
                () -> lab.connection.write(lab.here.data(0, 65), lab.remoteSpace(0, 64)),
                "The buffer to write to has room for 64 bytes; the source has 65");
        assertIllegalArgument(
                () -> lab.connection.write(lab.here.data(0, 8), lab.remoteData(0, 64)),
                "The buffer to write to has 64 bytes of data: clear it, or take one that is space");
    }

    @Test
    void atomicOperationsOnOtherThanAlignedWords() {
        long base = lab.there.memory.segment().address();
        assertIllegalArgument(
                () -> lab.connection.submit(RdmaOperation.fetchAdd(lab.remoteSpace(4, 8), 1)),
                "An atomic operation is on 8 bytes at an address that is divisible by 8; the data begin at 0x"
                        + Long.toHexString(base + 4) + ", 4 of " + REMOTE);
        assertIllegalArgument(
                () -> lab.connection.submit(RdmaOperation.compareAndSwap(lab.remoteSpace(8, 7), 1, 2)),
                "An atomic operation is on 8 bytes; the buffer ends 7 bytes behind where its data begin");
    }

    @Test
    void listsThatAreTooLong() {
        Buf list = lab.here.data(0, 8).append(lab.here.data(100, 8)).append(lab.here.data(200, 8));
        assertIllegalArgument(
                () -> lab.connection.send(list),
                "The list has 3 elements; one of this RDMA context on 0000:03:00.0 (mlx5_0) can have 2");
        Buf remote = lab.remoteSpace(0, 8).append(lab.remoteSpace(100, 8));
        assertIllegalArgument(
                () -> lab.connection.write(lab.here.data(300, 8), remote),
                "The buffer to write to is a list of 2 elements; memory of a peer is used by one buffer at a time");
        Buf receiving = lab.there.space(0, 8).append(lab.there.space(100, 8));
        long limit = lab.there.rdma.limits().maxReceiveListLength();
        if (limit < 2) {
            assertIllegalArgument(
                    () -> lab.there.rdma.receive(receiving),
                    "The list has 2 elements; one of this RDMA context on 0000:03:00.1 (mlx5_1) can have " + limit);
        }
    }

    @Test
    void messagesThatAreTooLong(@TempDir Path folder) throws Exception {
        long bytes = (1L << 30) + 1;
        try (Arena arena = Arena.ofShared();
                FileChannel sparse = FileChannel.open(
                        folder.resolve("sparse"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment memory = sparse.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            try (Mmap map = Mmap.registerUnchecked(lab.here.device, memory, Access.LOCAL_READ_WRITE);
                    Buf source = lab.here.buffers.data(map, 0, bytes)) {
                assertIllegalArgument(
                        () -> lab.connection.send(source),
                        "The message has 1073741825 bytes; one on 0000:03:00.0 (mlx5_0) can have 1073741824");
            }
        }
    }

    @Test
    void memoryOfAnotherDevice() {
        Buf data = lab.there.data(0, 8);
        Buf space = lab.there.space(100, 8);
        assertIllegalArgument(
                () -> lab.connection.send(data),
                "The source is in Mmap of 1048576 bytes on 0000:03:00.1 (mlx5_1), which is not registered with"
                        + " 0000:03:00.0 (mlx5_0)");
        assertIllegalArgument(
                () -> lab.here.rdma.receive(space),
                "The target is in Mmap of 1048576 bytes on 0000:03:00.1 (mlx5_1), which is not registered with"
                        + " 0000:03:00.0 (mlx5_0)");
        assertIllegalArgument(
                () -> lab.back.write(data, lab.remoteSpace(0, 8)),
                "The buffer to write to is in " + REMOTE + ", which is not registered with 0000:03:00.1 (mlx5_1)");
    }

    @Test
    void readingIntoReadOnlyMemory() {
        try (Mmap map = Mmap.allocate(lab.here.device, 64, Access.LOCAL_READ_ONLY);
                Buf target = lab.here.buffers.space(map, 0, 8)) {
            String message = "The target is in Mmap of 64 bytes on 0000:03:00.0 (mlx5_0), whose access lacks"
                    + " LOCAL_READ_WRITE";
            assertIllegalArgument(() -> lab.connection.read(lab.remoteData(0, 8), target), message);
            assertIllegalArgument(() -> lab.here.rdma.receive(target), message);
        }
    }

    @Test
    void buffersInUse() throws Exception {
        Buf target = lab.there.space(0, 64);
        Completion<Received> receive = lab.there.rdma.receive(target);
        assertIllegalState(() -> lab.there.rdma.receive(target), "The target is used by another operation in flight");
        assertIllegalState(() -> lab.back.send(target), "The source is the target of another operation in flight");
        assertIllegalState(target::close, "A buffer that a task in flight uses cannot be changed or closed");
        Buf source = lab.here.data(0, 8);
        Completion<Long> send = lab.connection.send(source);
        assertIllegalState(source::close, "A buffer that a task in flight uses cannot be changed or closed");
        lab.get(send);
        lab.get(receive);
        Buf remote = lab.remoteSpace(0, 8);
        Completion<Long> write = lab.connection.write(source, remote);
        assertIllegalState(
                () -> remote.reuseAsSpace(100, 8), "A buffer that a task in flight uses cannot be changed or closed");
        Buf other = lab.here.data(100, 8);
        assertIllegalState(
                () -> lab.connection.write(other, remote),
                "The buffer to write to is used by another write in flight: take a buffer for each write");
        assertIllegalState(
                () -> lab.connection.submit(RdmaOperation.writeImmediate(other, remote, 1)),
                "The buffer to write to is used by another write in flight: take a buffer for each write");
        lab.get(write);
        assertThat(lab.get(lab.connection.write(other, remote))).isEqualTo(8);
        source.close();
        target.close();
        assertIllegalState(
                () -> lab.connection.send(source),
                "Buf in " + MEMORY + ", closed cannot be used: it was returned to BufInventory of 256");
    }

    @Test
    void aMistakeIsThrownAlsoWhereTheOperationWouldFailAnyway() throws Exception {
        Buf closed = lab.here.data(0, 8);
        closed.close();
        String mistake = "Buf in " + MEMORY + ", closed cannot be used: it was returned to BufInventory of 256";
        List<Completion<Long>> sends =
                List.of(lab.connection.send(lab.here.data(8, 8)), lab.connection.send(lab.here.data(16, 8)));
        assertIllegalState(() -> lab.connection.send(closed), mistake);
        assertIllegalState(() -> lab.here.rdma.receive(closed), mistake);
        List<Completion<Received>> receives =
                List.of(lab.there.rdma.receive(lab.there.space(0, 8)), lab.there.rdma.receive(lab.there.space(8, 8)));
        for (Completion<Long> send : sends) {
            lab.get(send);
        }
        for (Completion<Received> receive : receives) {
            lab.get(receive);
        }
    }

    @Test
    void moreThanThereAreTasksFor() throws Exception {
        Buf source = lab.here.data(0, 8);
        List<Completion<Long>> sends = List.of(lab.connection.send(source), lab.connection.send(source));
        assertFailed(
                ResourceExhaustedException.class,
                lab.connection.send(source),
                RdmaLab.HERE
                        + " has no free task to send: all 2 are in use; progress until one completes, or raise "
                        + "maxTasks(RdmaTaskType.SEND, n)");
        List<Completion<Received>> receives =
                List.of(lab.there.rdma.receive(lab.there.space(0, 8)), lab.there.rdma.receive(lab.there.space(8, 8)));
        assertFailed(
                ResourceExhaustedException.class,
                lab.there.rdma.receive(),
                RdmaLab.THERE
                        + " has no free task to receive: all 2 are in use; progress until one completes, or raise"
                        + " maxReceives()");
        lab.engine.awaitAll(sends, RdmaLab.SOON);
        lab.engine.awaitAll(receives, RdmaLab.SOON);
    }

    @Test
    void tasksUsedWrongly() throws Exception {
        Buf source = lab.here.data(0, 8);
        RdmaTask send = lab.connection.task(RdmaOperation.send(source));
        assertIllegalArgument(
                () -> send.operation(RdmaOperation.sendImmediate(source, 1)),
                "A task to send cannot send with immediate data");
        assertIllegalArgument(() -> send.connection(lab.back), lab.back + " is not one of the " + RdmaLab.HERE);
        try (RdmaTask add = lab.connection.task(RdmaOperation.fetchAdd(lab.remoteSpace(0, 8), 1))) {
            assertIllegalArgument(
                    () -> add.operation(RdmaOperation.send(source)), "A task to fetch-and-add cannot send");
        }
        send.submit();
        String inFlight = " a task in flight of the " + RdmaLab.HERE + ": progress until it is done";
        assertIllegalState(send::submit, "Cannot submit" + inFlight);
        assertIllegalState(() -> send.operation(RdmaOperation.send(source)), "Cannot change" + inFlight);
        assertIllegalState(send::close, "Cannot close" + inFlight);
        Completion<Received> receive = lab.there.rdma.receive(lab.there.space(0, 8));
        lab.get(receive);
        lab.await(send::isDone);
        send.close();
        send.close();
        assertIllegalState(send::submit, "The task of the " + RdmaLab.HERE + " is closed");
        ReceiveTask task = lab.here.rdma.receiveTask();
        assertIllegalState(task::kind, "Nothing was received by this task of the " + RdmaLab.HERE);
        assertIllegalState(task::connection, "Nothing was received by this task of the " + RdmaLab.HERE);
        task.close();
        assertIllegalState(task::submit, "The task of the " + RdmaLab.HERE + " is closed");
    }

    @Test
    void aClosedContext() {
        Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        RdmaContext closed = RdmaContext.builder(device).start(lab.engine);
        RdmaConnection connection = closed.prepareConnection();
        RdmaTask task = connection.task(RdmaOperation.send(lab.here.data(0, 8)));
        closed.close();
        closed.close();
        String message = RdmaLab.HERE + " is closed";
        assertIllegalState(closed::prepareConnection, message);
        assertIllegalState(closed::receive, message);
        assertIllegalState(closed::connections, message);
        assertIllegalState(() -> closed.connect(RdmaAddress.ipv4("127.0.0.1"), 1), message);
        assertIllegalState(() -> closed.listen(1, ConnectionRequest::reject), message);
        assertIllegalState(() -> connection.submit(RdmaOperation.sendImmediate(1)), message);
        assertIllegalState(() -> connection.connect(lab.back.details()), message);
        assertIllegalState(closed::flush, message);
        assertIllegalState(task::submit, message);
        connection.disconnect();
        device.close();
    }

    @Test
    void callbacksMayNotWait() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        Buf source = lab.here.data(0, 8);
        lab.there.rdma.receive(lab.there.space(0, 8), (end, failure) -> {});
        lab.connection.submit(RdmaOperation.send(source), (end, failure) -> {
            try {
                lab.engine.progress();
            } catch (IllegalStateException e) {
                thrown.add(e);
            }
        });
        lab.await(() -> !thrown.isEmpty());
        assertThat(thrown)
                .singleElement()
                .satisfies(e -> assertThat(e).hasMessageContaining("a callback cannot progress or wait"));
    }

    private static void assertIllegalArgument(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    private static void assertFailed(Class<? extends RuntimeException> type, Completion<?> started, String message) {
        assertThat(started.exceptionNow()).isExactlyInstanceOf(type).hasMessage(message);
    }

    private static void assertIllegalState(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(message);
    }
}
