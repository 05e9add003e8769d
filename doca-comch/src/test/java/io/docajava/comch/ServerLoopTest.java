/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import io.docajava.testing.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** Tests a server on a loop that many threads use. */
@Timeout(600)
@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class ServerLoopTest extends CompletionModes {

    private static final int THREADS = 20;
    private static final int EACH = 50;

    private static PeerJvm host;

    private final String name = ServerLab.uniqueName();

    @BeforeAll
    static void startHost() {
        host = Peer.start(DocaEmulator.Role.HOST);
    }

    @AfterAll
    static void endHost() {
        host.close();
    }

    @Test
    void manyThreadsSendMoreThanThereIsRoomFor() throws Exception {
        Events events = new Events();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                DeviceRepresentor representor =
                        DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
                ProgressLoop loop = ProgressLoop.builder()
                        .idleStrategy(IdleStrategy.eventDriven())
                        .start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CommServer.builder(device, representor, name)
                    .maxSends(6)
                    .connectionListener(events)
                    .start(loop, events);
            assertThat(host.ask("echo " + name + " 4")).isEqualTo("started");
            assertThat(events.next()).isEqualTo("connected");
            CommConnection connection = Objects.requireNonNull(events.connection);

            List<Future<Long>> sums = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int number = thread;
                sums.add(threads.submit(() -> sendAll(connection, number)));
            }

            for (Future<Long> sum : sums) {
                assertThat(Await.result(sum, "the sends of a thread")).isEqualTo(EACH);
            }
            assertEachOnceInOrder(events);
        }
    }

    /** Submits all sends without waiting for each of them. */
    private static long sendAll(CommConnection connection, int thread) throws Exception {
        List<CompletableFuture<Long>> sends = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            sends.add(connection.send(ServerLab.bytes(thread + ":" + i)));
        }
        long sent = 0;
        for (CompletableFuture<Long> send : sends) {
            sent += Await.result(send, "a send") > 0 ? 1 : 0;
        }
        return sent;
    }

    /** The caller may change its memory as soon as the send has returned. */
    @Test
    void otherThreadsUseAServerOfALoop() throws Exception {
        Events events = new Events();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                DeviceRepresentor representor =
                        DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
                ProgressLoop loop = ProgressLoop.start();
                CommServer server = CommServer.builder(device, representor, name)
                        .connectionListener(events)
                        .start(loop, events)) {
            assertThat(host.ask("echo " + name + " 4")).isEqualTo("started");
            assertThat(events.next()).isEqualTo("connected");
            CommConnection connection = server.connections().getFirst();
            byte[] text = ServerLab.bytes("first");
            Completion<Long> sent = connection.send(text);
            text[0] = 'x';
            assertThat(get(sent)).isEqualTo(5);
            assertThat(events.next()).isEqualTo("message first");
            assertThatThrownBy(() -> connection.send(new byte[0])).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> connection.send(text, (end, failure) -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("belongs to");
            Completion<DisconnectReason> over = connection.whenDisconnected();
            connection.disconnect();
            assertThat(get(over)).isEqualTo(DisconnectReason.DISCONNECTED);
            assertThatThrownBy(() -> get(connection.send(text))).hasCauseInstanceOf(ConnectionEndedException.class);
            assertThat(events.next()).isEqualTo("disconnected DISCONNECTED");
        }
    }

    private static void assertEachOnceInOrder(Events events) throws InterruptedException {
        int[] next = new int[THREADS];
        for (int i = 0; i < THREADS * EACH; i++) {
            String[] words = events.next().split("[ :]", -1);
            assertThat(words[0]).isEqualTo("message");
            assertThat(next[Integer.parseInt(words[1])]++).isEqualTo(Integer.parseInt(words[2]));
        }
        assertThat(events.size()).isZero();
    }

    @Test
    void deferredOperationsFailWhenTheConnectionEnds() throws Exception {
        Events events = new Events();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                DeviceRepresentor representor =
                        DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
                ProgressLoop loop = ProgressLoop.start()) {
            get(loop.call(engine -> CommServer.builder(device, representor, name)
                    .maxSends(6)
                    .connectionListener(events)
                    .start(engine, events)));
            assertThat(host.ask("echo " + name + " 1")).isEqualTo("started");
            assertThat(events.next()).isEqualTo("connected");
            CommConnection connection = Objects.requireNonNull(events.connection);

            List<CompletableFuture<Long>> sends = new ArrayList<>();
            host.suspend();
            try {
                get(loop.call(engine -> {
                    for (int i = 0; i < 4; i++) {
                        sends.add(connection.send(ServerLab.bytes("waits")));
                    }
                    connection.disconnect();
                    return true;
                }));
            } finally {
                host.resume();
            }

            // The queue of the client has one entry, which the first message takes. The second one waits for it.
            for (CompletableFuture<Long> sent : sends.subList(0, 2)) {
                try {
                    assertThat(Await.result(sent, "a send in flight")).isEqualTo(5);
                } catch (ExecutionException lost) {
                    assertThat(lost).hasMessageContaining("Sending 5 bytes on " + connection);
                }
            }
            for (CompletableFuture<Long> waiting : sends.subList(2, 4)) {
                assertThatThrownBy(() -> Await.result(waiting, "a deferred send"))
                        .hasCauseInstanceOf(ConnectionEndedException.class)
                        .hasMessageEndingWith(connection + " has ended: this side has disconnected");
            }
        }
    }

    @Test
    void theEndOfTheLoopEndsWhatWaitsForASuspendedPeer() throws Exception {
        Events events = new Events();
        List<CompletableFuture<Long>> sends = new ArrayList<>();
        CommConnection connection;
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                DeviceRepresentor representor =
                        DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"))) {
            try (ProgressLoop loop =
                    ProgressLoop.builder().closeTimeout(Await.LIMIT).start()) {
                get(loop.call(engine -> CommServer.builder(device, representor, name)
                        .connectionListener(events)
                        .start(engine, events)));
                assertThat(host.ask("echo " + name + " 4")).isEqualTo("started");
                assertThat(events.next()).isEqualTo("connected");
                connection = Objects.requireNonNull(events.connection);
                host.suspend();
                for (int i = 0; i < 10; i++) {
                    sends.add(Work.on(loop, () -> connection.send(ServerLab.bytes("waits"))));
                }
            }
        } finally {
            host.resume();
        }

        assertThat(events.next()).isEqualTo("disconnected STOPPED");
        // The queue of the client has four entries, as many sends wait for them, and the others are deferred.
        for (CompletableFuture<Long> taken : sends.subList(0, 4)) {
            assertThat(taken.get()).isEqualTo(5);
        }
        for (CompletableFuture<Long> inFlight : sends.subList(4, 8)) {
            assertThatThrownBy(inFlight::get)
                    .hasCauseInstanceOf(TaskFailedException.class)
                    .hasMessageContaining("Sending 5 bytes on " + connection)
                    .hasMessageEndingWith(". It was aborted, as the context was stopped");
        }
        for (CompletableFuture<Long> waiting : sends.subList(8, 10)) {
            assertThatThrownBy(waiting::get)
                    .hasCauseInstanceOf(ContextNotRunningException.class)
                    .hasMessageContaining(connection.endpoint() + " is ")
                    .hasMessageEndingWith(": it was stopped");
        }
    }

    @Test
    void aServerHasManyClients() throws Exception {
        List<CompletableFuture<Long>> replies = new ArrayList<>();
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                DeviceRepresentor representor =
                        DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
                ProgressLoop loop = ProgressLoop.start()) {
            get(loop.call(engine -> CommServer.builder(device, representor, name)
                    .start(engine, (connection, message) -> replies.add(connection.send(message.bytes())))));

            assertThat(host.ask("clients " + name + " 100")).isEqualTo("100 answered");
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return Await.result(future, "the loop");
    }
}
