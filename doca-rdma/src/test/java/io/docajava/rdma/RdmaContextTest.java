/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.DocaException;
import io.docajava.core.DocaCallException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.rdma.internal.Internals;
import io.docajava.testing.DeepStack;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the configuration, start and stop of contexts. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RdmaContextTest {

    private Device device;
    private ProgressEngine engine;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        engine = ProgressEngine.create();
    }

    @AfterEach
    void close() {
        engine.close();
        device.close();
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void usesTheGivenLimitsOrTheDefaults() {
        try (RdmaContext rdma = RdmaContext.builder(device).start(engine)) {
            assertThat(rdma).hasToString(RdmaLab.HERE);
            assertThat(rdma.state()).isEqualTo(ContextState.RUNNING);
            assertThat(rdma.device()).isSameAs(device);
            assertThat(rdma.engine()).isSameAs(engine);
            assertThat(rdma.capabilities()).isEqualTo(RdmaCapabilities.of(device.info()));
            for (RdmaTaskType type : RdmaTaskType.values()) {
                assertThat(rdma.limits().maxTasks(type)).isEqualTo(64);
            }
            assertThat(rdma.limits().maxConnections()).isEqualTo(16);
            assertThat(rdma.inFlight()).isZero();
            assertThat(rdma.connections()).isEmpty();
        }
        try (RdmaContext rdma = RdmaContext.builder(device)
                .maxTasks(3)
                .maxTasks(RdmaTaskType.READ, 0)
                .maxTasks(RdmaTaskType.WRITE, 7)
                .maxReceives(5)
                .maxSendListLength(9)
                .maxReceiveListLength(4)
                .maxConnections(2)
                .start(engine)) {
            RdmaLimits limits = rdma.limits();
            assertThat(limits.maxTasks(RdmaTaskType.SEND)).isEqualTo(3);
            assertThat(limits.maxTasks(RdmaTaskType.READ)).isZero();
            assertThat(limits.maxTasks(RdmaTaskType.WRITE)).isEqualTo(7);
            assertThat(limits.maxTasks(RdmaTaskType.RECEIVE)).isEqualTo(5);
            assertThat(limits.maxSendListLength()).isEqualTo(9);
            // DOCA 2.5 rounds it up.
            assertThat(limits.maxReceiveListLength()).isIn(4L, 7L);
            assertThat(limits.maxConnections()).isEqualTo(2);
        }
    }

    @Test
    void theSendQueueHasRoomForAllTasks() {
        // 6 types with 100 tasks each, 50 more, and 16 to check whether connections are established: 666.
        try (RdmaContext rdma = RdmaContext.builder(device)
                .maxTasks(100)
                .maxTasks(RdmaTaskType.SEND, 50)
                .start(engine)) {
            assertThat(rdma.limits().sendQueueSize()).isEqualTo(1024);
        }
        try (RdmaContext rdma = RdmaContext.builder(device).sendQueueSize(100).start(engine)) {
            assertThat(rdma.limits().sendQueueSize()).isEqualTo(128);
        }
    }

    /** The memory of atomic operations is closed after the native context, which no second call destroys. */
    @ParameterizedTest
    @ValueSource(strings = {"doca_buf_inventory_destroy", "doca_mmap_destroy"})
    @DocaEmulator
    @SuppressWarnings("try")
    void closesItsMemoryAlsoIfTheFirstAttemptFails(String function) {
        long before = EmulatorFaults.liveObjects();
        RdmaContext rdma = RdmaContext.builder(device).start(engine);
        try (EmulatorFaults faults =
                EmulatorFaults.builder().failCall(function, 1, "DRIVER").inject()) {
            rdma.close();
            assertThat(EmulatorFaults.failedCall()).contains(function);
        }
        assertThat(EmulatorFaults.liveObjects()).isEqualTo(before);
    }

    /** An overflow is thrown before the native context is destroyed, so that the context can be closed again. */
    @Test
    @DocaEmulator
    void closesItsMemoryAlsoOnAFullStack() throws Throwable {
        DeepStack.onSmallStack(() -> {
            for (int round = 0; round < 4; round++) {
                long before = EmulatorFaults.liveObjects();
                try (ProgressEngine own = ProgressEngine.create()) {
                    RdmaContext rdma = RdmaContext.builder(device).start(own);
                    assertThat(DeepStack.attempt(rdma::close)).isPositive();
                }
                assertThat(EmulatorFaults.liveObjects()).isEqualTo(before);
            }
        });
    }

    @Test
    @NeedsFunction("doca_rdma_set_rnr_retry_count")
    void takesEveryProperty() {
        try (RdmaContext rdma = RdmaContext.builder(device)
                .permissions(Access.RDMA_READ.plus(Access.RDMA_ATOMIC))
                .transport(TransportType.RC)
                .mtu(Mtu.BYTES_1024)
                .grh(true)
                .gidIndex(1)
                .serviceLevel(3)
                .connectionRequestTimeout(Duration.ofMillis(65535))
                .rnrRetryCount(7)
                .closeTimeout(Duration.ZERO)
                .start(engine)) {
            assertThat(rdma.state()).isEqualTo(ContextState.RUNNING);
        }
    }

    @Test
    @DocaEmulator
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void newReleasesDoNotLetTheReceiveQueueBeSet() {
        RdmaContextBuilder builder = RdmaContext.builder(device).receiveQueueSize(128);
        assertThatThrownBy(() -> builder.start(engine))
                .isInstanceOf(DocaException.class)
                .hasMessageStartingWith(
                        "Setting the receive queue size to 128 of the RDMA context on 0000:03:00.0 (mlx5_0):"
                                + " doca_rdma_set_recv_queue_size failed with DOCA_ERROR_NOT_SUPPORTED");
    }

    @Test
    @DocaEmulator(topology = """
            [dpu mlx5_0]
            pci = 03:00.0
            rdma_max_receives = 4
            """)
    void theDefaultNumberOfReceivesFitsTheDevice() {
        try (RdmaContext rdma = RdmaContext.builder(device).start(engine)) {
            assertThat(rdma.limits().maxTasks(RdmaTaskType.RECEIVE)).isEqualTo(4);
            assertThat(rdma.limits().maxTasks(RdmaTaskType.SEND)).isEqualTo(64);
        }
        assertThatThrownBy(() -> RdmaContext.builder(device).maxReceives(5).start(engine))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("An RDMA context on 0000:03:00.0 (mlx5_0) can have 4 receives at most: 5");
    }

    @Test
    @DocaEmulator
    void refusesSettingsThatTheDeviceLacks() {
        String context = "An RDMA context on 0000:03:00.0 (mlx5_0) can have ";
        assertRefused(
                builder -> builder.transport(TransportType.DC),
                "0000:03:00.0 (mlx5_0) does not offer the transport DC");
        assertRefused(
                builder -> builder.gidIndex(255), "0000:03:00.0 (mlx5_0) has 255 GIDs; there is none of index 255");
        List<RdmaAddress> gids = RdmaCapabilities.gids(device.info());
        assertRefused(
                builder -> builder.gidIndex(9),
                "0000:03:00.0 (mlx5_0) has no GID of index 9; it has "
                        + IntStream.range(0, gids.size())
                                .filter(i -> !gids.get(i).equals(RdmaAddress.gid(new byte[16])))
                                .mapToObj(i -> i + " (" + gids.get(i) + ")")
                                .collect(Collectors.joining(", ")));
        assertRefused(
                builder -> builder.sendQueueSize(32769), context + "32768 operations in the send queue at most: 32769");
        assertRefused(
                builder -> builder.receiveQueueSize(40000),
                context + "32768 receives in the receive queue at most: 40000");
        assertRefused(builder -> builder.maxReceives(32769), context + "32768 receives at most: 32769");
        long list = RdmaCapabilities.of(device.info()).maxSendListLength();
        assertRefused(
                builder -> builder.maxSendListLength((int) list + 1),
                context + list + " elements in a list to send at most: " + (list + 1));
        assertRefused(
                builder -> builder.maxReceiveListLength(32),
                context + "31 elements in a list to receive into at most: 32");
    }

    @ParameterizedTest
    @EnumSource
    @DocaEmulator
    void refusesFarTooManyTasksOfAType(RdmaTaskType type) {
        assumeTrue(RdmaContext.isSupported(device.info(), type), "the SDK does not offer this type");
        RdmaContextBuilder builder = RdmaContext.builder(device).maxTasks(type, Integer.MAX_VALUE);
        if (type == RdmaTaskType.RECEIVE) {
            assertThatThrownBy(() -> builder.start(engine))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith(" can have 32768 receives at most: 2147483647");
            return;
        }
        assertThatThrownBy(() -> builder.start(engine))
                .isInstanceOf(DocaCallException.class)
                .hasMessageStartingWith("Giving the RDMA context on 0000:03:00.0 (mlx5_0) 2147483647 tasks to "
                        + Internals.words(type) + ": " + Internals.prefix(type) + "_set_conf failed with DOCA_ERROR_");
    }

    private void assertRefused(Consumer<RdmaContextBuilder> configuration, String message) {
        RdmaContextBuilder builder = RdmaContext.builder(device);
        configuration.accept(builder);
        assertThatThrownBy(() -> builder.start(engine))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    @SuppressWarnings("NullAway") // users may pass null nevertheless
    void anEngineIsNeeded() {
        RdmaContextBuilder builder = RdmaContext.builder(device);
        assertThatThrownBy(() -> builder.start((ProgressEngine) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("engine");
    }

    @Test
    void valuesOutOfRange() {
        assertOutOfRange(
                builder -> builder.permissions(Access.PCI_READ_WRITE),
                "An RDMA context gives no permissions for the PCI bus: PCI_READ_WRITE");
        assertOutOfRange(builder -> builder.maxTasks(0), "An RDMA context needs 1 or more tasks of a type: 0");
        assertOutOfRange(
                builder -> builder.maxTasks(RdmaTaskType.READ, -1),
                "An RDMA context needs 0 or more tasks to read: -1");
        assertOutOfRange(builder -> builder.maxReceives(-1), "An RDMA context needs 0 or more tasks to receive: -1");
        assertOutOfRange(
                builder -> builder.sendQueueSize(0), "An RDMA context needs 1 or more operations of a send queue: 0");
        assertOutOfRange(
                builder -> builder.receiveQueueSize(0),
                "An RDMA context needs 1 or more receives of a receive queue: 0");
        assertOutOfRange(
                builder -> builder.maxSendListLength(0), "An RDMA context needs 1 or more elements of a list: 0");
        assertOutOfRange(
                builder -> builder.maxReceiveListLength(0), "An RDMA context needs 1 or more elements of a list: 0");
        assertOutOfRange(builder -> builder.gidIndex(-1), "A GID index is 0 or more: -1");
        assertOutOfRange(builder -> builder.serviceLevel(16), "A service level is from 0 to 15, and not 16");
        assertOutOfRange(
                builder -> builder.connectionRequestTimeout(Duration.ZERO),
                "A connection request can take from 1 ms to 65535 ms, and not PT0S");
        assertOutOfRange(
                builder -> builder.connectionRequestTimeout(Duration.ofMillis(65536)),
                "A connection request can take from 1 ms to 65535 ms, and not PT1M5.536S");
        assertOutOfRange(
                builder -> builder.maxConnections(0), "The number of connections is from 1 to 65535, and not 0");
        assertOutOfRange(builder -> builder.rnrRetryCount(8), "The number of retries is from 0 to 7, and not 8");
        assertOutOfRange(
                builder -> builder.closeTimeout(Duration.ofMillis(-1)),
                "The close timeout must not be negative: PT-0.001S");
    }

    private void assertOutOfRange(Consumer<RdmaContextBuilder> configuration, String message) {
        RdmaContextBuilder builder = RdmaContext.builder(device);
        assertThatThrownBy(() -> configuration.accept(builder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void listenersLearnOfEveryState() {
        List<String> seen = new ArrayList<>();
        try (RdmaContext rdma = RdmaContext.builder(device)
                .listener((context, previous, next) -> seen.add(previous + " to " + next))
                .start(engine)) {
            rdma.stop();
            rdma.restart();
        }
        assertThat(seen).containsExactly("IDLE to RUNNING", "RUNNING to IDLE", "IDLE to RUNNING", "RUNNING to IDLE");
    }

    /** With DOCA 3.0, an engine that is armed during a stop reports neither the flushed receives nor the end of the stop. */
    @Test
    void stopsWhileTheThreadWaitsForEvents() throws Exception {
        try (RdmaLab lab = new RdmaLab()) {
            Completion<Received> receive = lab.there.rdma.receive(lab.there.memory.range(0, 8));
            lab.there.rdma.stop();
            lab.awaitByEvents(() -> lab.there.rdma.state() == ContextState.IDLE);
            assertThat(receive.isCompletedExceptionally()).isTrue();
        }
    }

    /** DOCA 3.0 completes such a receive twice and never ends the stop, unless the connection is disconnected before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void stopsWhenAMessageHasArrivedSinceTheLastProgress(boolean closes) throws Exception {
        List<Throwable> errors = new ArrayList<>();
        try (Side here = new Side("mlx5_0", engine, builder -> builder, Side.ALL);
                ProgressEngine quiet = ProgressEngine.create();
                Side there = new Side("mlx5_1", quiet, builder -> builder, Side.ALL)) {
            quiet.errorHandler(errors::add);
            RdmaConnection going = here.rdma.prepareConnection();
            RdmaConnection coming = there.rdma.prepareConnection();
            going.connect(coming.details()).await(RdmaLab.SOON);
            coming.connect(going.details()).await(RdmaLab.SOON);
            Completion<Received> first = there.rdma.receive(there.memory.range(0, 8));
            Completion<Received> second = there.rdma.receive(there.memory.range(8, 8));
            assertThat(quiet.progress()).isZero();
            assertThat(going.send(here.filled(100, 7)).await(RdmaLab.SOON)).isEqualTo(7);
            if (closes) {
                there.rdma.close();
            } else {
                there.rdma.stop();
                quiet.await(() -> there.rdma.state() == ContextState.IDLE, RdmaLab.SOON);
            }
            assertThat(there.rdma.state()).isEqualTo(ContextState.IDLE);
            assertThat(first.isDone()).isTrue();
            assertThat(second.isCompletedExceptionally()).isTrue();
            assertThat(coming.state()).isEqualTo(ConnectionState.DISCONNECTED);
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void closingEndsPostedReceivesAndConnections() throws Exception {
        List<String> failures = new ArrayList<>();
        RdmaContext rdma = RdmaContext.builder(device).start(engine);
        RdmaConnection connection = rdma.prepareConnection();
        Completion<RdmaConnection> over = connection.whenDisconnected();
        rdma.receive((ReceiveEnd end, @Nullable TaskFailedException failure) ->
                failures.add(failure == null ? "received" : failure.reason() + " " + rdma.state()));
        assertThat(rdma.inFlight()).isEqualTo(1);
        rdma.close();
        assertThat(failures).containsExactly("CANCELLED STOPPING");
        assertThat(over).isCompletedWithValue(connection);
        assertThat(connection.state()).isEqualTo(ConnectionState.FAILED);
        rdma.close();
    }

    @Test
    @NeedsFunction(NeedsFunction.CONNECTIONS)
    void aCallbackClosesItsContext() throws Exception {
        RdmaContext rdma = RdmaContext.builder(device).start(engine);
        RdmaConnection one = rdma.prepareConnection();
        RdmaConnection other = rdma.prepareConnection();
        Completion<RdmaConnection> going = one.connect(other.details());
        other.connect(one.details()).await();
        going.await();
        Completion<Received> posted = rdma.receive();
        Completion<Received> second = rdma.receive();
        List<Received> received = new ArrayList<>();
        Completion<Long> sent = one.submit(RdmaOperation.sendImmediate(5));
        assertThat(posted.thenAccept(message -> {
                    received.add(message);
                    rdma.close();
                }))
                .isNotDone();
        assertThat(engine.await(() -> rdma.state() == ContextState.IDLE, RdmaLab.SOON))
                .as("waits for the stop of the context")
                .isTrue();
        assertThat(received)
                .singleElement()
                .satisfies(message -> assertThat(message.connection()).isSameAs(other));
        assertThat(sent).isDone();
        assertThat(second).isCompletedExceptionally();
        assertThat(engine.await(() -> one.state() == ConnectionState.DISCONNECTED, RdmaLab.SOON))
                .as("waits for the end of the connection")
                .isTrue();
    }

    @Test
    void aDeviceInUseIsNotClosed() {
        try (RdmaContext rdma = RdmaContext.builder(device).start(engine)) {
            assertThatThrownBy(device::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(RdmaLab.HERE);
            assertThat(rdma.state()).isEqualTo(ContextState.RUNNING);
        }
    }

    @Test
    void aClosedDeviceOrEngine() {
        Device closed = Device.open(DeviceFilter.ibDevice("mlx5_1"));
        closed.close();
        assertThatThrownBy(() -> RdmaContext.builder(closed).start(engine))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        ProgressEngine gone = ProgressEngine.create();
        gone.close();
        assertThatThrownBy(() -> RdmaContext.builder(device).start(gone)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void severalContextsOnOneEngine() throws Exception {
        try (RdmaContext first = RdmaContext.builder(device).start(engine);
                RdmaContext second = RdmaContext.builder(device).start(engine);
                RdmaContext third = RdmaContext.builder(device).start(engine)) {
            RdmaConnection one = first.prepareConnection();
            RdmaConnection two = second.prepareConnection();
            Completion<RdmaConnection> going = one.connect(two.details());
            two.connect(one.details()).await();
            going.await();
            third.stop();
            Completion<Received> receive = second.receive();
            one.submit(RdmaOperation.sendImmediate(9)).await();
            assertThat(receive.await().immediate()).hasValue(9);
        }
    }

    @Test
    void addresses() throws Exception {
        assertThat(RdmaAddress.ipv4("10.0.0.1")).isEqualTo(new RdmaAddress(RdmaAddress.Type.IPV4, "10.0.0.1"));
        assertThat(RdmaAddress.of(InetAddress.getByAddress(new byte[] {10, 0, 0, 1})))
                .isEqualTo(RdmaAddress.ipv4("10.0.0.1"));
        byte[] raw = {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2};
        assertThat(RdmaAddress.of(InetAddress.getByAddress(raw))).isEqualTo(RdmaAddress.ipv6("fe80:0:0:0:0:0:0:102"));
        assertThat(RdmaAddress.gid(raw)).hasToString("fe80:0:0:0:0:0:0:102");
        assertThat(RdmaAddress.gid("::ffff:10.0.0.1")).hasToString("::ffff:10.0.0.1");
        for (String wrong : List.of("host.example", "10.0.0.1", "fe80::1%eth0", "[fe80::1]", "fe80:::1")) {
            assertThatThrownBy(() -> RdmaAddress.gid(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A GID is written as an address of IP version 6, such as fe80::1, and not \"" + wrong
                            + "\"");
        }
        assertThat(RdmaAddress.of(new InetSocketAddress(InetAddress.getByAddress(raw), 7)))
                .isEqualTo(RdmaAddress.ipv6("fe80:0:0:0:0:0:0:102"));
        assertThatThrownBy(() -> RdmaAddress.of(InetSocketAddress.createUnresolved("host.example", 7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The host is not resolved: host.example");
        assertThatThrownBy(() -> RdmaAddress.gid(new byte[15]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A GID has 16 bytes, and not 15");
        for (String wrong : List.of("", " ", "10.0.0.1 ", "a\0b", "ä")) {
            assertThatThrownBy(() -> RdmaAddress.ipv4(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Not an RDMA address: \"" + wrong + "\"");
        }
    }
}
