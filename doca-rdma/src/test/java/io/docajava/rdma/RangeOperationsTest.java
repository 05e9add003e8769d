/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests operations and receives of ranges. */
@Timeout(600)
class RangeOperationsTest extends CompletionModes {

    private RdmaLab lab;

    @BeforeEach
    void connect() {
        lab = new RdmaLab(Side::retryForever);
    }

    @AfterEach
    void close() {
        lab.close();
        assertThat(lab.reported).isEmpty();
    }

    private MapRange here(long offset, long length) {
        lab.here.data(offset, length).close();
        return lab.here.memory.range(offset, length);
    }

    private MapRange remote(long offset, long length) {
        return lab.remote.range(offset, length);
    }

    private MapRange there(long offset, long length) {
        return lab.there.memory.range(offset, length);
    }

    @Test
    void writes() throws Exception {
        for (int i = 0; i < 20; i++) {
            long offset = i * 1000L;
            assertThat(lab.get(lab.connection.write(here(offset, 100 + i), remote(offset + 7, 100 + i))))
                    .isEqualTo(100 + i);
            lab.assertSame(offset, offset + 7, 100 + i);
        }
        // One task with one buffer a side serves all of them.
        assertThat(lab.here.rdma.stats().rebinds()).isEqualTo(2);
    }

    @Test
    void reads() throws Exception {
        lab.there.data(500, 64).close();
        assertThat(lab.get(lab.connection.read(remote(500, 64), lab.here.memory.range(10, 64))))
                .isEqualTo(64);
        lab.assertSame(10, 500, 64);
        assertThat(lab.here.memory.segment().get(ValueLayout.JAVA_BYTE, 74)).isZero();
    }

    @Test
    void sendsAndReceives() throws Exception {
        for (int i = 0; i < 10; i++) {
            Completion<Received> receive = lab.there.rdma.receive(there(4096L * i, 64));
            assertThat(lab.get(lab.connection.send(here(100, 20 + i)))).isEqualTo(20 + i);
            assertThat(lab.get(receive))
                    .isEqualTo(new Received(
                            Optional.empty(),
                            Optional.of(there(4096L * i, 20 + i)),
                            20 + i,
                            ReceivedKind.SEND,
                            OptionalInt.empty(),
                            lab.back));
            lab.assertSame(100, 4096L * i, 20 + i);
        }
    }

    /** The buffer of the task lies over the range, not over the map: the device writes nothing behind it. */
    @Test
    void aMessageThatIsTooLongFillsNothingBehindTheRange() throws Exception {
        lab.there.memory.segment().fill((byte) 1);
        Completion<Received> receive = lab.there.rdma.receive(there(64, 64));
        Completion<Long> send = lab.connection.send(here(0, 128));
        lab.await(() -> send.isDone() && receive.isDone());
        assertThat(send.exceptionNow()).isInstanceOf(TaskFailedException.class);
        assertThat(receive.exceptionNow())
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("Receiving up to 64 bytes to 64 of " + lab.there.memory);
        assertThat(lab.there.memory.segment().asSlice(128, 64).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly((byte) 1);
    }

    /** Only a receive into another range needs another buffer. */
    @Test
    void aReceiveKeepsItsBufferWhileItGetsTheSameRange() throws Exception {
        for (int i = 0; i < 10; i++) {
            Completion<Received> receive = lab.there.rdma.receive(there(64, 64));
            lab.get(lab.connection.send(here(0, 64)));
            lab.get(receive);
        }
        assertThat(lab.there.rdma.stats().rebinds()).isOne();
        for (MapRange other : List.of(there(64, 63), there(65, 63), there(64, 64))) {
            Completion<Received> receive = lab.there.rdma.receive(other);
            lab.get(lab.connection.send(here(0, 63)));
            assertThat(lab.get(receive).range()).contains(other.slice(0, 63));
        }
        assertThat(lab.there.rdma.stats().rebinds()).isEqualTo(4);
    }

    @Test
    void immediateData() throws Exception {
        Completion<Received> first = lab.there.rdma.receive(there(0, 64));
        Completion<Received> second = lab.there.rdma.receive(there(64, 64));
        lab.get(lab.connection.submit(RdmaOperation.sendImmediate(here(0, 8), -5)));
        lab.get(lab.connection.submit(RdmaOperation.writeImmediate(here(0, 8), remote(1000, 8), 6)));
        assertThat(lab.get(first).immediate()).hasValue(-5);
        assertThat(lab.get(second))
                .isEqualTo(new Received(
                        Optional.empty(),
                        Optional.empty(),
                        8,
                        ReceivedKind.WRITE_IMMEDIATE,
                        OptionalInt.of(6),
                        lab.back));
        lab.assertSame(0, 1000, 8);
        Completion<Received> third = lab.there.rdma.receive(there(0, 64));
        lab.get(lab.connection.submit(RdmaOperation.sendImmediate(here(0, 8), 7)));
        assertThat(lab.get(third).immediate()).hasValue(7);
    }

    @Test
    void atomics() throws Exception {
        lab.there.setWord(800, 5);
        assertThat(lab.get(lab.connection.fetchAdd(remote(800, 8), 3))).isEqualTo(5);
        assertThat(lab.get(lab.connection.fetchAdd(remote(800, 8), -1))).isEqualTo(8);
        assertThat(lab.get(lab.connection.compareAndSwap(remote(800, 8), 7, 100)))
                .isEqualTo(7);
        assertThat(lab.get(lab.connection.compareAndSwap(remote(800, 8), 7, 200)))
                .isEqualTo(100);
        assertThat(lab.there.word(800)).isEqualTo(100);
    }

    @Test
    void emptyRanges() throws Exception {
        Completion<Received> receive = lab.there.rdma.receive(there(0, 0));
        assertThat(lab.get(lab.connection.send(here(0, 0)))).isZero();
        assertThat(lab.get(receive).range()).isEmpty();
        assertThat(lab.get(lab.connection.write(here(0, 0), remote(0, 0)))).isZero();
    }

    @Test
    void aHandlerGetsADescription() throws Exception {
        List<String> ends = new ArrayList<>();
        Handler<OperationEnd> handler = (end, failure) -> ends.add(end.tag() + " " + end + " " + end.result() + " "
                + end.local() + " " + end.remote() + " " + end.buffer() + " " + failure);
        lab.there.setWord(800, 5);
        lab.connection.write(lab.here.memory, 8, lab.remote, 16, 24, -1, handler);
        lab.get(lab.connection.write(here(0, 8), remote(0, 8)));
        lab.connection.read(lab.remote, 16, lab.here.memory, 8, 24, 2, handler);
        lab.get(lab.connection.write(here(0, 8), remote(0, 8)));
        lab.connection.submit(RdmaOperation.fetchAdd(remote(800, 8), 1), handler);
        lab.get(lab.connection.write(here(0, 8), remote(0, 8)));
        String on = " on " + lab.connection + " ";
        assertThat(ends)
                .containsExactly(
                        "-1 write of 24 bytes" + on + "24 Optional[" + lab.here.memory.range(8, 24) + "] Optional["
                                + remote(16, 24) + "] Optional.empty null",
                        "2 read of 24 bytes" + on + "24 Optional[" + lab.here.memory.range(8, 24) + "] Optional["
                                + remote(16, 24) + "] Optional.empty null",
                        "0 fetch-and-add of 8 bytes" + on + "5 Optional.empty Optional[" + remote(800, 8)
                                + "] Optional.empty null");
    }

    @Test
    void aReceiveHandlerPostsTheNextReceive() throws Exception {
        List<String> ends = new ArrayList<>();
        Handler<ReceiveEnd> handler = new Handler<>() {
            @Override
            public void ended(ReceiveEnd end, @Nullable TaskFailedException failure) {
                ends.add(end.tag() + " " + end.kind() + " " + end.bytes() + " " + end.immediate() + " " + end.range()
                        + " " + end.connection().equals(lab.back) + " " + failure);
                if (end.tag() < 3) {
                    lab.there.rdma.receive(lab.there.memory, 64 * end.tag(), 64, end.tag() + 1, this);
                }
            }
        };
        lab.there.rdma.receive(there(0, 64), handler);
        for (int i = 0; i < 4; i++) {
            lab.get(lab.connection.send(here(i, 10)));
        }
        lab.await(() -> ends.size() == 4);
        assertThat(ends)
                .containsExactly(
                        "0 SEND 10 0 Optional[" + there(0, 64) + "] true null",
                        "1 SEND 10 0 Optional[" + there(0, 64) + "] true null",
                        "2 SEND 10 0 Optional[" + there(64, 64) + "] true null",
                        "3 SEND 10 0 Optional[" + there(128, 64) + "] true null");
    }

    @Test
    void aFailedReceiveHasNoSender() {
        List<Object> ends = new ArrayList<>();
        lab.there.rdma.receive(there(0, 64), (end, failure) -> {
            ends.add(failure == null ? "none" : failure.reason());
            ends.add(end.range());
            ends.add(end.toString());
            assertThatThrownBy(end::connection)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The receive has failed: nobody has sent");
            assertThatThrownBy(end::kind).isInstanceOf(IllegalStateException.class);
        });
        lab.there.rdma.close();
        assertThat(ends)
                .containsExactly(TaskFailedException.Reason.CANCELLED, Optional.of(there(0, 64)), "failed receive");
    }

    @Test
    void preparedTasks() throws Exception {
        lab.there.setWord(80_000, 1);
        try (RdmaTask write = lab.connection.task(RdmaOperation.write(here(0, 16), remote(0, 16)));
                RdmaTask add = lab.connection.task(RdmaOperation.fetchAdd(remote(80_000, 8), 1));
                ReceiveTask receive = lab.there.rdma.receiveTask(there(2000, 64))) {
            for (int i = 0; i < 10; i++) {
                write.operation(RdmaOperation.write(here(i * 100L, 16), remote(i * 100L, 16)))
                        .submit();
                add.operation(RdmaOperation.fetchAdd(remote(80_000, 8), i)).submit();
                receive.range(there(2000 + i, 64)).submit();
                lab.connection.send(here(i, 10 + i), (end, failure) -> {});
                lab.await(() -> write.isDone() && add.isDone() && receive.isDone());
                assertThat(write.status()).isEqualTo(TaskStatus.SUCCEEDED);
                assertThat(add.result()).isEqualTo(1 + i * (i - 1L) / 2);
                assertThat(receive.length()).isEqualTo(10 + i);
                lab.assertSame(i * 100L, i * 100L, 16);
                lab.assertSame(i, 2000 + i, 10 + i);
            }
            // With buffers in between.
            try (Buf source = lab.here.data(5000, 8);
                    Buf target = lab.remoteSpace(5000, 8)) {
                write.operation(RdmaOperation.write(source, target)).submit();
                lab.await(write::isDone);
            }
            write.operation(RdmaOperation.write(here(6000, 8), remote(6000, 8))).submit();
            lab.await(write::isDone);
            lab.assertSame(5000, 5000, 8);
            lab.assertSame(6000, 6000, 8);
        }
    }

    @Test
    @NeedsFunction("doca_graph_create")
    void tasksOfAGraph() throws Exception {
        lab.there.setWord(800, 41);
        RdmaTask write = lab.connection.task(RdmaOperation.write(here(0, 16), remote(100, 16)));
        RdmaTask add = lab.connection.task(RdmaOperation.fetchAdd(remote(800, 8), 1));
        GraphBuilder plan = Graph.builder(lab.engine);
        ContextNode writing = plan.context("write", lab.here.rdma);
        ContextNode adding = plan.context("add", lab.here.rdma);
        try (Graph graph = plan.dependency(writing, adding).start();
                GraphInstance instance = graph.instance().set(writing, write).set(adding, add)) {
            for (int i = 0; i < 3; i++) {
                lab.get(instance.submit());
                assertThat(add.result()).isEqualTo(41L + i);
                lab.assertSame(0, 100, 16);
                lab.there.memory.segment().asSlice(100, 16).fill((byte) 0);
            }
        }
    }

    /** Buffers, ranges and operations without operands share the tasks of a context. */
    @Test
    void randomOperations() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long word = 5;
        lab.there.setWord(800, word);
        lab.here.data(0, 8192).close();
        for (int i = 0; i < 500; i++) {
            long from = random.nextInt(4096);
            long to = 8192 + random.nextLong(4096);
            int length = random.nextInt(1, 512);
            String step = "step " + i + " of seed " + seed;
            switch (random.nextInt(6)) {
                case 0 -> {
                    lab.get(lab.connection.write(lab.here.memory.range(from, length), remote(to, length)));
                    lab.assertSame(from, to, length);
                }
                case 1 -> {
                    try (Buf source = lab.here.buffers.data(lab.here.memory, from, length);
                            Buf target = lab.here.buffers.space(lab.remote, to, length)) {
                        lab.get(lab.connection.write(source, target));
                    }
                    lab.assertSame(from, to, length);
                }
                case 2 -> {
                    Completion<Received> receive = lab.there.rdma.receive(there(to, length));
                    lab.get(lab.connection.send(lab.here.memory.range(from, length)));
                    assertThat(lab.get(receive).range()).as(step).contains(there(to, length));
                    lab.assertSame(from, to, length);
                }
                case 3 -> {
                    Completion<Received> receive = lab.there.rdma.receive();
                    lab.get(lab.connection.submit(RdmaOperation.send()));
                    assertThat(lab.get(receive).length()).as(step).isZero();
                }
                case 4 -> {
                    long addend = random.nextLong();
                    assertThat(lab.get(lab.connection.fetchAdd(remote(800, 8), addend)))
                            .as(step)
                            .isEqualTo(word);
                    word += addend;
                }
                default -> {
                    try (Buf counter = lab.here.buffers.data(lab.remote, 800, 8)) {
                        assertThat(lab.get(lab.connection.submit(RdmaOperation.fetchAdd(counter, 1))))
                                .as(step)
                                .isEqualTo(word);
                    }
                    word++;
                }
            }
        }
    }

    @Test
    void anotherConnectionAfterARestart() throws Exception {
        lab.get(lab.connection.write(here(0, 16), remote(0, 16)));
        for (RdmaContext context : List.of(lab.here.rdma, lab.there.rdma)) {
            context.stop();
            lab.await(() -> context.state() == ContextState.IDLE);
        }
        RdmaConnection ended = lab.connection;
        assertThat(ended.write(here(0, 16), remote(0, 16)).exceptionNow())
                .isInstanceOf(ContextNotRunningException.class);
        lab.here.rdma.restart();
        lab.there.rdma.restart();
        lab.reconnect();
        assertThat(ended.write(here(0, 16), remote(0, 16)).exceptionNow()).isInstanceOf(ConnectionEndedException.class);
        assertThat(lab.get(lab.connection.write(here(100, 16), remote(100, 16))))
                .isEqualTo(16);
        lab.assertSame(100, 100, 16);
    }

    @Test
    void closedMapsAndMapsInUse() throws Exception {
        Mmap local = Mmap.allocate(lab.here.device, 64, Access.LOCAL_READ_WRITE);
        Mmap target = Mmap.allocate(lab.there.device, 64, Access.LOCAL_READ_WRITE);
        Completion<Received> receive = lab.there.rdma.receive(target.all());
        assertThatThrownBy(target::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(target + " cannot be closed while operations in flight use it: " + lab.there.rdma);
        lab.get(lab.connection.send(local.all()));
        lab.get(receive);
        target.close();
        local.close();
        assertThatThrownBy(() -> lab.connection.send(local.all()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(local + " is closed");
        assertThatThrownBy(() -> lab.there.rdma.receive(target.all()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(target + " is closed");
        assertThat(lab.get(lab.connection.write(here(0, 16), remote(0, 16)))).isEqualTo(16);
    }

    @Test
    void noFreeTask() throws Exception {
        for (int i = 0; i < 8; i++) {
            lab.connection.write(here(0, 8), remote(i * 8L, 8), (end, failure) -> {});
        }
        assertThatThrownBy(() -> lab.connection.write(here(0, 8), remote(0, 8), (end, failure) -> {}))
                .isInstanceOf(ResourceExhaustedException.class)
                .hasMessage(RdmaLab.HERE
                        + " has no free task to write: all 8 are in use; progress until one completes, or raise"
                        + " maxTasks(RdmaTaskType.WRITE, n)");
        assertThat(lab.connection.write(here(0, 8), remote(0, 8)).exceptionNow())
                .isInstanceOf(ResourceExhaustedException.class);
        lab.here.rdma.drain(RdmaLab.SOON);
    }

    @Test
    void refusesWhatDoesNotFit() {
        MapRange eight = lab.here.memory.range(0, 8);
        assertThatThrownBy(() -> lab.connection.write(eight, remote(0, 16)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A write of 8 bytes cannot fill a range of 16 bytes");
        assertThatThrownBy(() -> lab.connection.read(remote(0, 16), eight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A read of 16 bytes does not fit into a range of 8 bytes");
        assertThatThrownBy(
                        () -> lab.connection.write(lab.here.memory, 0, lab.remote, Side.MEMORY - 7, 8, 0, (e, f) -> {}))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("A range of 8 bytes at " + (Side.MEMORY - 7) + " is not inside of " + lab.remote);
        assertThatThrownBy(() -> lab.there.rdma.receive(lab.there.memory, -1, 8, 0, (e, f) -> {}))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("A range of 8 bytes at -1 is not inside of " + lab.there.memory);
        assertThatThrownBy(() -> lab.connection.write(eight, eight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The range to write to is in " + lab.here.memory
                        + ", which is memory of this process: import what the peer has exported for RDMA");
        assertThatThrownBy(() -> lab.connection.send(remote(0, 8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The source is in " + lab.remote
                        + ", which is memory of a peer: it is for the other side of a read, a write or an atomic"
                        + " operation");
        assertThatThrownBy(() -> lab.connection.fetchAdd(remote(0, 16), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("An atomic operation is on 8 bytes, and not on 16");
        assertThatThrownBy(() -> lab.connection.fetchAdd(remote(4, 8), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("An atomic operation is on 8 bytes at an address that is divisible by 8;")
                .hasMessageEndingWith("4 of " + lab.remote);
        assertThatThrownBy(() -> lab.there.rdma.receiveTask(there(0, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A prepared receive into a range has room for at least 1 byte");
        try (Mmap readOnly = Mmap.allocate(lab.there.device, 64, Access.LOCAL_READ_ONLY);
                Mmap foreign = Mmap.allocate(lab.there.device, 64, Access.LOCAL_READ_WRITE)) {
            assertThatThrownBy(() -> lab.there.rdma.receive(readOnly.all()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The target is in " + readOnly + ", whose access lacks LOCAL_READ_WRITE");
            assertThatThrownBy(() -> lab.connection.send(foreign.all()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The source is in " + foreign + ", which is not registered with "
                            + lab.here.device.info().displayName());
        }
        assertThat(lab.here.rdma.inFlight()).isZero();
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void refusesConnectionsThatAreNotEstablished() {
        MapRange eight = lab.here.memory.range(0, 8);
        RdmaConnection prepared = lab.here.rdma.prepareConnection();
        assertThatThrownBy(() -> prepared.send(eight))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(prepared + " is not established yet");
        prepared.disconnect();
        assertThat(prepared.send(eight).exceptionNow()).isInstanceOf(ConnectionEndedException.class);
        assertThat(lab.here.rdma.inFlight()).isZero();
    }
}
