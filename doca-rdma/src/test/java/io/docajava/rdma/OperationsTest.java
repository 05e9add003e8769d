/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.context.ContextStats;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests every operation in each of its forms. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class OperationsTest extends CompletionModes {

    private static final int IMMEDIATE = 0xDEAD_BEEF;

    private RdmaLab lab;

    @BeforeEach
    void open() {
        lab = new RdmaLab();
    }

    @AfterEach
    void close() {
        assertThat(lab.reported).isEmpty();
        lab.close();
    }

    @Test
    void sends() throws Exception {
        Buf target = lab.there.space(100, 50);
        Completion<Received> receive = lab.there.rdma.receive(target);
        assertThat(lab.get(lab.connection.send(lab.here.data(0, 20)))).isEqualTo(20);
        assertThat(lab.get(receive))
                .isEqualTo(new Received(
                        Optional.of(target), Optional.empty(), 20, ReceivedKind.SEND, OptionalInt.empty(), lab.back));
        assertThat(target.dataLength()).isEqualTo(20);
        lab.assertSame(0, 100, 20);
    }

    @Test
    void sendsLeaveTheBuffersOfEarlierOperationsAsTheyAre() throws Exception {
        Buf source = lab.here.data(0, 64);
        Buf received = lab.there.space(2000, 64);
        Buf written = lab.remoteSpace(0, 4096);
        Buf readable = lab.remoteData(8000, 64);
        Buf full = lab.here.space(9000, 64);
        // This exceeds the size of the send queue, so each send gets the place of an operation with a target.
        for (int i = 0; i < 128; i++) {
            if (i % 2 == 0) {
                written.clear();
                lab.get(lab.connection.write(source, written));
            } else {
                full.clear();
                lab.get(lab.connection.read(readable, full));
            }
        }
        for (int i = 0; i < 128; i++) {
            received.clear();
            Completion<Received> receive = lab.there.rdma.receive(received);
            assertThat(lab.get(lab.connection.send(source))).isEqualTo(64);
            lab.get(receive);
            assertThat(written.dataLength()).isZero();
            assertThat(full.dataLength()).isEqualTo(64);
        }
    }

    @Test
    void bothSidesCountTheBytesOfAMessage() throws Exception {
        ContextStats here = lab.here.rdma.stats();
        Completion<Received> receive = lab.there.rdma.receive(lab.there.space(100, 50));
        assertThat(lab.there.rdma.stats().inFlight()).isOne();
        lab.get(lab.connection.send(lab.here.data(0, 20)));
        lab.get(receive);
        assertThat(lab.here.rdma.stats().completed()).isEqualTo(here.completed() + 1);
        assertThat(lab.here.rdma.stats().bytes()).isEqualTo(20);
        assertThat(lab.there.rdma.stats().bytes()).isEqualTo(20);
        assertThat(lab.there.rdma.stats().inFlight()).isZero();
    }

    @Test
    void sendsBack() throws Exception {
        Completion<Received> receive = lab.here.rdma.receive(lab.here.space(0, 50));
        assertThat(lab.get(lab.back.send(lab.there.data(500, 50)))).isEqualTo(50);
        assertThat(lab.get(receive).connection()).isSameAs(lab.connection);
        lab.assertSame(0, 500, 50);
    }

    @Test
    void sendsImmediate() throws Exception {
        Buf target = lab.there.space(100, 50);
        Completion<Received> receive = lab.there.rdma.receive(target);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.sendImmediate(lab.here.data(0, 50), IMMEDIATE))))
                .isEqualTo(50);
        assertThat(lab.get(receive))
                .isEqualTo(new Received(
                        Optional.of(target),
                        Optional.empty(),
                        50,
                        ReceivedKind.SEND_IMMEDIATE,
                        OptionalInt.of(IMMEDIATE),
                        lab.back));
        lab.assertSame(0, 100, 50);
    }

    @Test
    void sendsTheImmediateDataOnly() throws Exception {
        Completion<Received> receive = lab.there.rdma.receive();
        assertThat(lab.get(lab.connection.submit(RdmaOperation.sendImmediate(7))))
                .isZero();
        assertThat(lab.get(receive))
                .isEqualTo(new Received(
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        ReceivedKind.SEND_IMMEDIATE,
                        OptionalInt.of(7),
                        lab.back));
    }

    @Test
    void sendsAndReceivesLists() throws Exception {
        try (RdmaLab lists =
                new RdmaLab(builder -> builder.maxReceiveListLength(2).maxSendListLength(2))) {
            // NVIDIA's library rounds the lengths up.
            assertThat(lists.here.rdma.limits().maxReceiveListLength()).isIn(2L, 3L, 4L);
            assertThat(lists.here.rdma.limits().maxSendListLength()).isIn(2L, 3L, 4L);
            Completion<Received> receive =
                    lists.there.rdma.receive(lists.there.space(0, 5).append(lists.there.space(2000, 100)));
            Buf source = lists.here.data(0, 10).append(lists.here.data(1000, 20));
            assertThat(lists.get(lists.connection.send(source))).isEqualTo(30);
            Buf received = lists.get(receive).buffer().orElseThrow();
            assertThat(received.elements()).isEqualTo(2);
            assertThat(received.dataLength()).isEqualTo(5);
            lists.assertSame(0, 0, 5);
            lists.assertSame(5, 2000, 5);
            lists.assertSame(1000, 2005, 20);
        }
    }

    @Test
    void reads() throws Exception {
        Buf target = lab.here.space(100, 64);
        assertThat(lab.get(lab.connection.read(lab.remoteData(5000, 40), target)))
                .isEqualTo(40);
        assertThat(target.dataLength()).isEqualTo(40);
        lab.assertSame(100, 5000, 40);
    }

    @Test
    void readsAsManyBytesAsTheTargetHasRoomFor() throws Exception {
        Buf target = lab.here.space(104, 24);
        assertThat(lab.get(lab.connection.read(lab.remoteData(5000, 40), target)))
                .isEqualTo(24);
        assertThat(target.dataLength()).isEqualTo(24);
        lab.assertSame(104, 5000, 24);
        assertThat(lab.here.word(128)).isZero();
    }

    @Test
    void readsIntoAList() throws Exception {
        try (RdmaLab lists = new RdmaLab(builder -> builder.maxSendListLength(2))) {
            for (int length : new int[] {10, 11, 39, 40, 41}) {
                Buf second = lists.here.space(2000, 30);
                Buf target = lists.here.space(104, 10).append(second);
                int read = Math.min(length, 40);
                assertThat(lists.get(lists.connection.read(lists.remoteData(5000, length), target)))
                        .isEqualTo(read);
                assertThat(target.dataLength()).isEqualTo(10);
                assertThat(second.dataLength()).isEqualTo(read - 10);
                lists.assertSame(104, 5000, 10);
                lists.assertSame(2000, 5010, read - 10);
                target.close();
            }
        }
    }

    /** The failure says how many bytes were to be read: no more than the whole list has room for. */
    @ParameterizedTest
    @ValueSource(ints = {39, 40, 41})
    @DocaEmulator
    @SuppressWarnings("try") // the faults are not used
    void failsToReadIntoAList(int length) throws Exception {
        try (RdmaLab lists = new RdmaLab(builder -> builder.maxSendListLength(2));
                EmulatorFaults faults =
                        EmulatorFaults.builder().failTask(1, "IO_FAILED").inject()) {
            Buf target = lists.here.space(104, 10).append(lists.here.space(2000, 30));
            Completion<Long> read = lists.connection.read(lists.remoteData(5000, length), target);
            assertThatThrownBy(() -> lists.get(read))
                    .isInstanceOf(TaskFailedException.class)
                    .hasMessageStartingWith("Reading " + Math.min(length, 40) + " bytes from 5000 of ");
        }
    }

    @Test
    void writes() throws Exception {
        Buf remote = lab.remoteSpace(3000, 64);
        for (int i = 0; i < 3; i++) {
            assertThat(lab.get(lab.connection.write(lab.here.data(i, 60), remote)))
                    .isEqualTo(60);
            assertThat(remote.dataLength()).isZero();
            lab.assertSame(i, 3000, 60);
        }
    }

    @Test
    void writesImmediate() throws Exception {
        Buf target = lab.there.space(100, 10);
        Completion<Received> receive = lab.there.rdma.receive(target);
        assertThat(lab.get(lab.connection.submit(
                        RdmaOperation.writeImmediate(lab.here.data(0, 64), lab.remoteSpace(3000, 64), IMMEDIATE))))
                .isEqualTo(64);
        assertThat(lab.get(receive))
                .isEqualTo(new Received(
                        Optional.of(target),
                        Optional.empty(),
                        64,
                        ReceivedKind.WRITE_IMMEDIATE,
                        OptionalInt.of(IMMEDIATE),
                        lab.back));
        assertThat(target.dataLength()).isZero();
        lab.assertSame(0, 3000, 64);
    }

    @Test
    void ringsADoorbell() throws Exception {
        Completion<Received> receive = lab.there.rdma.receive();
        assertThat(lab.get(lab.connection.submit(RdmaOperation.writeImmediate(-1))))
                .isZero();
        assertThat(lab.get(receive))
                .isEqualTo(new Received(
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        ReceivedKind.WRITE_IMMEDIATE,
                        OptionalInt.of(-1),
                        lab.back));
    }

    @Test
    void comparesAndSwaps() throws Exception {
        lab.there.setWord(800, Long.MIN_VALUE);
        Buf word = lab.remoteSpace(800, 8);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.compareAndSwap(word, 1, 2))))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(lab.there.word(800)).isEqualTo(Long.MIN_VALUE);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.compareAndSwap(word, Long.MIN_VALUE, -2))))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(lab.there.word(800)).isEqualTo(-2);
    }

    @Test
    void fetchesAndAdds() throws Exception {
        lab.there.setWord(800, 40);
        Buf word = lab.remoteData(808, 8);
        lab.there.setWord(808, 40);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.fetchAdd(word, 2))))
                .isEqualTo(40);
        assertThat(lab.get(lab.connection.submit(RdmaOperation.fetchAdd(word, -50))))
                .isEqualTo(42);
        assertThat(lab.there.word(808)).isEqualTo(-8);
        assertThat(lab.there.word(800)).isEqualTo(40);
    }

    @Test
    void nothingIsMovedWithoutAnyData() throws Exception {
        Completion<Received> receive = lab.there.rdma.receive(lab.there.space(0, 10));
        Buf nothing = lab.here.space(0, 64);
        assertThat(lab.get(lab.connection.send(nothing))).isZero();
        assertThat(lab.get(receive).length()).isZero();
        Completion<Received> another = lab.there.rdma.receive(lab.there.space(0, 10));
        assertThat(lab.get(lab.connection.submit(RdmaOperation.send()))).isZero();
        assertThat(lab.get(another).length()).isZero();
        assertThat(lab.get(lab.connection.write(nothing, lab.remoteSpace(0, 64))))
                .isZero();
        assertThat(lab.get(lab.connection.read(lab.remoteSpace(0, 64), nothing)))
                .isZero();
        assertThat(nothing.dataLength()).isZero();
    }

    @Test
    void manyAreInFlightAndEndInOrder() throws Exception {
        List<Long> ended = new ArrayList<>();
        Handler<OperationEnd> handler = (end, failure) -> ended.add(failure == null ? end.result() : -1);
        for (long i = 0; i < 8; i++) {
            lab.connection.submit(
                    RdmaOperation.write(lab.here.data(i * 100, i + 1), lab.remoteSpace(i * 100, 64)), handler);
        }
        assertThat(lab.here.rdma.inFlight()).isEqualTo(8);
        lab.here.rdma.drain(RdmaLab.SOON);
        assertThat(ended).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        lab.assertSame(700, 700, 8);
    }

    @Test
    void callsBack() throws Exception {
        Events events = new Events();
        lab.there.rdma.receive(lab.there.space(0, 64), events::ended);
        lab.there.rdma.receive(lab.there.space(100, 64), events::ended);
        lab.there.rdma.receive(events::ended);
        lab.there.rdma.receive(events::ended);
        lab.there.rdma.receive(events::ended);
        lab.there.setWord(800, 5);
        Buf source = lab.here.data(0, 32);
        Buf target = lab.here.space(5000, 16);
        lab.connection.submit(RdmaOperation.send(source), events::ended);
        lab.connection.submit(RdmaOperation.sendImmediate(source, 1), events::ended);
        lab.connection.submit(RdmaOperation.sendImmediate(2), events::ended);
        lab.connection.submit(RdmaOperation.writeImmediate(source, lab.remoteSpace(3000, 64), 3), events::ended);
        lab.connection.submit(RdmaOperation.writeImmediate(4), events::ended);
        lab.connection.submit(RdmaOperation.write(source, lab.remoteSpace(4000, 64)), events::ended);
        lab.connection.submit(RdmaOperation.read(lab.remoteData(6000, 16), target), events::ended);
        lab.connection.submit(RdmaOperation.fetchAdd(lab.remoteSpace(800, 8), 2), events::ended);
        lab.connection.submit(RdmaOperation.compareAndSwap(lab.remoteSpace(800, 8), 7, 9), events::ended);
        lab.await(() -> events.sent.size() == 9 && events.received.size() == 5);
        assertThat(events.sent)
                .containsExactly("32 of 32", "32 of 32", "0", "32 of 32", "0", "32 of 32", "16 of 16", "5", "7");
        assertThat(events.received)
                .containsExactly(
                        "SEND 32 0 of 32",
                        "SEND_IMMEDIATE 32 1 of 32",
                        "SEND_IMMEDIATE 0 2",
                        "WRITE_IMMEDIATE 32 3",
                        "WRITE_IMMEDIATE 0 4");
        assertThat(lab.there.word(800)).isEqualTo(9);
        lab.assertSame(0, 4000, 32);
        lab.assertSame(5000, 6000, 16);
    }

    @Test
    void tasksAreSubmittedAgain() throws Exception {
        lab.there.setWord(800, 0);
        Buf remote = lab.remoteSpace(3000, 64);
        Buf word = lab.remoteSpace(800, 8);
        try (RdmaTask write = lab.connection.task(RdmaOperation.write(lab.here.data(0, 10), remote));
                RdmaTask read =
                        lab.connection.task(RdmaOperation.read(lab.remoteData(4000, 12), lab.here.space(5000, 12)));
                RdmaTask add = lab.connection.task(RdmaOperation.fetchAdd(word, 3));
                RdmaTask swap = lab.connection.task(RdmaOperation.compareAndSwap(word, 3, 4))) {
            assertThat(write.status()).isEqualTo(TaskStatus.NEW);
            assertThat(write.type()).isEqualTo(RdmaTaskType.WRITE);
            submit(write);
            assertThat(write.result()).isEqualTo(10);
            write.operation(RdmaOperation.write(lab.here.data(20, 30), lab.remoteSpace(3100, 64)));
            submit(write);
            assertThat(write.result()).isEqualTo(30);
            lab.assertSame(0, 3000, 10);
            lab.assertSame(20, 3100, 30);
            submit(read);
            assertThat(read.result()).isEqualTo(12);
            lab.assertSame(5000, 4000, 12);
            submit(add);
            assertThat(add.result()).isZero();
            submit(swap);
            assertThat(swap.result()).isEqualTo(3);
            submit(swap.operation(RdmaOperation.compareAndSwap(word, 5, 6)));
            assertThat(swap.result()).isEqualTo(4);
            submit(add.operation(RdmaOperation.fetchAdd(word, 10)));
            assertThat(add.result()).isEqualTo(4);
            assertThat(lab.there.word(800)).isEqualTo(14);
        }
    }

    @Test
    void anOperationIsSubmittedAnyNumberOfTimes() throws Exception {
        lab.there.setWord(800, 0);
        RdmaOperation add = RdmaOperation.fetchAdd(lab.remoteSpace(800, 8), 1);
        assertThat(add.type()).isEqualTo(RdmaTaskType.ATOMIC_FETCH_ADD);
        assertThat(add).hasToString("fetch-and-add");
        try (RdmaTask task = lab.connection.task(add)) {
            List<Completion<Long>> additions = List.of(lab.connection.submit(add), lab.connection.submit(add));
            submit(task);
            assertThat(lab.get(additions.getFirst())).isZero();
            assertThat(lab.get(additions.getLast())).isEqualTo(1);
            assertThat(task.result()).isEqualTo(2);
        }
        RdmaOperation write = RdmaOperation.write(lab.here.data(0, 10), lab.remoteSpace(3000, 64));
        for (int i = 0; i < 3; i++) {
            assertThat(lab.get(lab.connection.submit(write))).isEqualTo(10);
        }
        lab.assertSame(0, 3000, 10);
    }

    @Test
    void messagesOfTasks() throws Exception {
        List<String> received = new ArrayList<>();
        Buf target = lab.there.space(100, 64);
        Buf source = lab.here.data(100, 30);
        Buf remote = lab.remoteSpace(3000, 64);
        try (ReceiveTask receive = lab.there.rdma.receiveTask(target);
                ReceiveTask empty = lab.there.rdma.receiveTask();
                RdmaTask send = lab.connection.task(RdmaOperation.send(lab.here.data(0, 10)));
                RdmaTask sendImmediate = lab.connection.task(RdmaOperation.sendImmediate(lab.here.data(50, 20), 5));
                RdmaTask writeImmediate = lab.connection.task(RdmaOperation.writeImmediate(source, remote, 6))) {
            receive.onCompletion(task -> received.add(task.kind() + " " + task.length() + " " + task.immediate()));
            receive.submit();
            submit(send);
            lab.await(receive::isDone);
            assertThat(receive.connection()).isSameAs(lab.back);
            assertThat(receive.status()).isEqualTo(TaskStatus.SUCCEEDED);
            target.clear();
            receive.submit();
            submit(sendImmediate);
            lab.await(receive::isDone);
            assertThat(receive.immediate()).isEqualTo(5);
            target.clear();
            receive.submit();
            submit(sendImmediate.operation(RdmaOperation.sendImmediate(lab.here.data(7, 7), -5)));
            lab.await(receive::isDone);
            receive.buffer(lab.there.space(500, 10)).submit();
            submit(writeImmediate);
            lab.await(receive::isDone);
            empty.submit();
            submit(writeImmediate.operation(RdmaOperation.writeImmediate(source, remote, 60)));
            lab.await(empty::isDone);
            assertThat(empty.kind()).isEqualTo(ReceivedKind.WRITE_IMMEDIATE);
            assertThat(empty.length()).isEqualTo(30);
            assertThat(empty.immediate()).isEqualTo(60);
        }
        assertThat(received)
                .containsExactly("SEND 10 0", "SEND_IMMEDIATE 20 5", "SEND_IMMEDIATE 7 -5", "WRITE_IMMEDIATE 30 6");
        lab.assertSame(7, 100, 7);
        lab.assertSame(100, 3000, 30);
    }

    private void submit(RdmaTask task) throws Exception {
        task.submit();
        assertThat(task.status()).isEqualTo(TaskStatus.IN_FLIGHT);
        assertThat(task.result()).isZero();
        lab.await(task::isDone);
        assertThat(task.failure()).isEmpty();
    }

    private static final class Events {

        private final List<String> sent = new ArrayList<>();
        private final List<String> received = new ArrayList<>();

        private void ended(OperationEnd end, @Nullable TaskFailedException failure) {
            throwIfFailed(failure);
            sent.add(end.result() + of(end.buffer().orElse(null)));
        }

        private void ended(ReceiveEnd end, @Nullable TaskFailedException failure) {
            throwIfFailed(failure);
            received.add(end.kind() + " " + end.bytes() + " " + end.immediate()
                    + of(end.buffer().orElse(null)));
        }

        private static String of(@Nullable Buf buffer) {
            return buffer == null ? "" : " of " + buffer.dataLength();
        }

        private static void throwIfFailed(@Nullable TaskFailedException failure) {
            if (failure != null) {
                throw failure;
            }
        }
    }
}
