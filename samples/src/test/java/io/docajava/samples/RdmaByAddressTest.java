/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.samples.SampleProcess.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests RDMA samples in two processes that connect by address: a server, and a client with the address. */
class RdmaByAddressTest {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String STOPPED = "INF RDMA context has been stopped";

    /** Programs that run at the same time use other ports. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(30_000 + (int) (ProcessHandle.current().pid() % 500) * 20);

    private final String port = Integer.toString(NEXT_PORT.getAndIncrement());

    private SharedRun startServer(String sample, String... more) throws Exception {
        return SampleProcess.onEmulator()
                .beginShared(concat(List.of(sample, "-d", "mlx5_0", "-cm", "-lp", port), List.of(more)))
                .awaitOut("[Server] started connection successfully");
    }

    private SharedRun startClient(String sample, String address, String... more) throws Exception {
        return SampleProcess.onEmulator()
                .beginShared(
                        concat(List.of(sample, "-d", "mlx5_1", "-cm", "-lp", port, "-sa", address), List.of(more)));
    }

    private static List<String> concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /** Returns the log of a side until it accepts connections. */
    private List<String> beginning(String role, int type, String address, int connections) {
        return List.of(
                "INF Starting the sample",
                "INF RDMA context is running",
                "INF Using RDMA_CM to setup RDMA connection",
                "INF -----------------------------------------------",
                "INF RDMA_CM connection params:",
                "INF -- Connection Role: " + role,
                "INF -- Addr_type : " + type,
                "INF -- Addr: " + address,
                "INF -- Port: " + port,
                "INF -- Num_connections: " + connections,
                "INF -----------------------------------------------",
                role.equals("Server")
                        ? "INF Server calling doca_rdma_start_listen_to_port"
                        : "INF Client calling doca_rdma_connect_to_addr",
                "INF [" + role + "] started connection successfully",
                "INF RDMA context finished initialization");
    }

    private static void assertSucceeded(Result result, List<String> beginning, List<String> work) {
        assertThat(result.errLog()).isEmpty();
        assertThat(result.outLog())
                .startsWith(beginning.toArray(String[]::new))
                .containsSubsequence(concat(beginning, work))
                .endsWith(STOPPED, DmaLocalCopyTest.SUCCESS);
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.docajava.samples.RdmaPair#all")
    void bothSidesDoTheirPart(RdmaPair pair) throws Exception {
        String text = "text of " + pair;
        String[] withText = {pair.textFlag(), text};
        String[] none = {};
        try (SharedRun server = startServer(pair.first(), pair.textIsOfFirst() ? withText : none);
                SharedRun client = startClient(pair.second(), LOOPBACK, pair.textIsOfFirst() ? none : withText)) {
            if (pair.isOnMemory()) {
                exchangeMemory(server, client);
            } else {
                exchangeMessages(server, client);
            }
            Result active = client.end();
            if (pair.waitsForUser()) {
                server.awaitOut("Wait till the requester has finished " + (pair.textIsOfFirst() ? "reading" : "writing")
                        + " and press enter");
                server.type("\n");
            }
            assertSucceeded(active, beginning("Client", 0, LOOPBACK, 1), pair.secondSays(text));
            assertSucceeded(server.end(), beginning("Server", 0, "NULL", 1), pair.firstSays(text));
        }
    }

    private static void exchangeMemory(SharedRun responder, SharedRun requester) throws Exception {
        responder.awaitOut("Start to exchange data resource between client and server");
        responder.awaitOut(
                "Wait till the requester has finished the submission of the receive task for negotiation and press enter");
        requester.awaitOut("Start to exchange data resource between client and server");
        requester.awaitOut("Negotiation receive task submission completed");
        responder.type("\n");
    }

    private static void exchangeMessages(SharedRun receiver, SharedRun sender) throws Exception {
        receiver.awaitOut("RDMA receive task successfully submitted");
        sender.awaitOut(
                "Please press enter after the receive task has been successfully submitted in the receiver side");
        sender.type("\n");
    }

    @ParameterizedTest
    @CsvSource({"ipv4, 0, localhost", "IPv6, 1, ::1", "ip6, 1, fe80::d0:caff:fe00:0", "gid, 2, fe80::d0:caff:fe00:0"})
    void addressesAreOfEveryKind(String type, int number, String address) throws Exception {
        try (SharedRun server = startServer("rdma_receive");
                SharedRun client = startClient("rdma_send", address, "-sat", type)) {
            exchangeMessages(server, client);

            assertSucceeded(client.end(), beginning("Client", number, address, 1), List.of());
            assertSucceeded(
                    server.end(), beginning("Server", 0, "NULL", 1), List.of("INF Got from sender: \"Hi DOCA RDMA!\""));
        }
    }

    @Test
    void aServerHasSeveralClients() throws Exception {
        try (SharedRun server = startServer("rdma_multi_conn_receive", "-nc", "2");
                SharedRun one = startClient("rdma_multi_conn_send", LOOPBACK, "-s", "of one");
                SharedRun other = startClient("rdma_multi_conn_send", LOOPBACK, "-s", "of the other")) {
            server.awaitOut("All RDMA receive tasks have been successfully submitted");
            for (SharedRun client : List.of(one, other)) {
                client.awaitOut("Please press enter after all the receive tasks have been successfully submitted in the"
                        + " receiver side");
                client.type("\n");
            }
            for (SharedRun client : List.of(one, other)) {
                assertSucceeded(
                        client.end(),
                        beginning("Client", 0, LOOPBACK, 1),
                        List.of("INF RDMA send task was done successfully"));
            }
            Result result = server.end();
            assertSucceeded(result, beginning("Server", 0, "NULL", 2), List.of());
            for (String text : List.of("of one", "of the other")) {
                assertThat(result.outLog())
                        .filteredOn(line -> line.startsWith("INF Got from sender: \"" + text + "\", sender's"))
                        .hasSize(1);
            }
        }
    }

    @Test
    void aReceiverFailsWhenItsPeerIsKilled() throws Exception {
        try (SharedRun server = startServer("rdma_receive");
                RunningProgram client = SampleProcess.onEmulator()
                        .start("rdma_send", "-d", "mlx5_1", "-cm", "-lp", port, "-sa", LOOPBACK)) {
            server.awaitOut("RDMA receive task successfully submitted");
            client.awaitOut("Please press enter after the receive task");
            client.kill();

            assertFailed(server.end(), "The connection has ended before the sender has done its part");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aResponderFailsWhenItsRequesterIsKilled(boolean hasEvent) throws Exception {
        try (SharedRun server = startServer("rdma_sync_event_responder");
                RunningProgram client = SampleProcess.onEmulator()
                        .start("rdma_sync_event_requester", "-d", "mlx5_1", "-cm", "-lp", port, "-sa", LOOPBACK)) {
            server.awaitOut("Wait till the requester has finished the submission");
            client.awaitOut("Negotiation receive task submission completed");
            if (hasEvent) {
                // The client has posted its receive and is suspended.
                client.suspend();
                server.type("\n");
                server.awaitOut("Waiting for sync event to be signaled from remote");
                client.kill();
            } else {
                client.kill();
                server.type("\n");
            }

            assertFailed(server.end(), "The connection has ended before the requester has done its part");
        }
    }

    @Test
    void aRequesterFailsWhenItsResponderIsKilled() throws Exception {
        try (RunningProgram server = SampleProcess.onEmulator()
                        .start("rdma_sync_event_responder", "-d", "mlx5_0", "-cm", "-lp", port);
                SharedRun client = awaitAndStartClient(server)) {
            client.awaitOut("Negotiation receive task submission completed");
            server.kill();

            Result result = client.end();
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err().getFirst())
                    .endsWith("The connection has ended before the responder has done its part");
            assertThatAllWasClosed(result);
        }
    }

    private SharedRun awaitAndStartClient(RunningProgram server) throws Exception {
        server.awaitOut("[Server] started connection successfully");
        return startClient("rdma_sync_event_requester", LOOPBACK, "-l", "60");
    }

    private static void assertFailed(Result result, String error) {
        assertThat(result.errLog()).contains("ERR " + error);
        assertThat(result.outLog()).last().isEqualTo("INF Sample finished with errors");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void aCounterIsIncrementedBySeveralProcesses() throws Exception {
        try (SharedRun server = startCounter(2);
                SharedRun one = startCounting(1000);
                SharedRun other = startCounting(2000)) {
            assertThat(one.end().exitCode()).isZero();
            assertThat(other.end().exitCode()).isZero();
            assertThat(server.end().outLog())
                    .contains("INF The counter is 3000")
                    .endsWith(DmaLocalCopyTest.SUCCESS);
        }
    }

    @Test
    void aServerReportsAClientThatWasKilled() throws Exception {
        try (SharedRun server = startCounter(1);
                RunningProgram client = SampleProcess.onEmulator()
                        .start("rdma_atomic", "-d", "mlx5_1", "-lp", port, "-sa", LOOPBACK, "-n", "2000000000")) {
            server.awaitOut("Client 1 has come");
            client.kill();

            Result result = server.end();
            assertThat(result.errLog()).contains("ERR 1 of 1 clients ended before they were done");
            assertThat(result.outLog()).anyMatch(line -> line.startsWith("INF The counter is "));
            assertThat(result.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aCounterClientEndsWhenItsDeviceFails() throws Exception {
        SampleProcess failing = SampleProcess.onEmulator().with(EmulatorEnvironment.FAULTS, "fail-task=1013:IO_FAILED");
        try (SharedRun server = startCounter(1);
                SharedRun client = startCounting(failing, "-l", "60")) {
            Result result = client.end();
            assertThat(result.errLog())
                    .last()
                    .asString()
                    .startsWith("ERR Adding ")
                    .contains("doca_rdma_task_atomic_fetch_add failed with DOCA_ERROR_IO_FAILED");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThatAllWasClosed(result);
            assertFailed(server.end(), "1 of 1 clients ended before they were done");
        }
    }

    @Test
    void aCounterClientNeedsAServer() throws Exception {
        try (SharedRun client = startCounting(SampleProcess.onEmulator(), "-l", "60")) {
            Result result = client.end();
            assertThat(result.errLog()).last().asString().endsWith("nobody listens there");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThatAllWasClosed(result);
        }
    }

    /** The server of another sample connects and sends nothing. */
    @Test
    void aCounterClientDoesNotWaitForeverForItsServer() throws Exception {
        try (SharedRun server = startServer("rdma_receive");
                SharedRun client = startCounting(SampleProcess.onEmulator(), "-l", "60", "--timeout", "5")) {
            Result result = client.end();
            assertThat(result.errLog()).containsExactly("ERR The peer has not answered within 5 s");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThatAllWasClosed(result);
            assertFailed(server.end(), "The connection has ended before the sender has done its part");
        }
    }

    /** The send of the server's export does not complete. */
    @Test
    void aCounterServerDoesNotWaitForeverForItsClient() throws Exception {
        String hour = Long.toString(Duration.ofHours(1).toNanos());
        SampleProcess slow = SampleProcess.onEmulator().with(EmulatorEnvironment.FAULTS, "delay=" + hour);
        // Starts before the server, whose wait for the client has the same limit.
        SharedJvm ofClient = SampleProcess.onEmulator().takeShared();
        try (SharedRun server = startCounter(slow, 1, "-l", "60", "--timeout", "12");
                SharedRun client = ofClient.begin(EmulatorSettings.NONE, counting("-n", "2000000000"))) {
            Result result = server.end();
            // A warning about the operation that does not complete may come before.
            assertThat(result.errLog()).last().isEqualTo("ERR The peer has not answered within 12 s");
            assertThat(result.exitCode()).isEqualTo(1);
            assertThatAllWasClosed(result);
            assertThat(client.end().exitCode()).isEqualTo(1);
        }
    }

    /** Checks the stack trace of the failure, which the level 60 prints. */
    private static void assertThatAllWasClosed(Result result) {
        assertThat(result.out())
                .anyMatch(line -> line.endsWith("It failed here"))
                .noneMatch(line -> line.contains("Suppressed"));
    }

    private SharedRun startCounting(int times) throws Exception {
        return startCounting(SampleProcess.onEmulator(), "-n", Integer.toString(times));
    }

    private SharedRun startCounting(SampleProcess process, String... more) throws Exception {
        return process.beginShared(counting(more));
    }

    /** Returns the arguments of a client that counts. */
    private String[] counting(String... more) {
        return concat(List.of("rdma_atomic", "-d", "mlx5_1", "-lp", port, "-sa", LOOPBACK), List.of(more))
                .toArray(String[]::new);
    }

    private SharedRun startCounter(int clients) throws Exception {
        return startCounter(SampleProcess.onEmulator(), clients);
    }

    private SharedRun startCounter(SampleProcess process, int clients, String... more) throws Exception {
        return process.beginShared(concat(
                        List.of("rdma_atomic", "-d", "mlx5_0", "-lp", port, "-nc", Integer.toString(clients)),
                        List.of(more)))
                .awaitOut("Waiting for " + clients + " clients at port " + port);
    }

    @Test
    void aClientNeedsAServer() throws Exception {
        try (SharedRun client = startClient("rdma_send", LOOPBACK)) {
            Result result = client.end();

            // The first line is the error of the SDK, the second one explains it.
            assertThat(result.errLog()).hasSize(2).allMatch(line -> line.endsWith("nobody listens there"));
            assertThat(result.outLog())
                    .startsWith(beginning("Client", 0, LOOPBACK, 1).toArray(String[]::new))
                    .endsWith("INF Sample finished with errors");
            assertThat(result.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aClientHasOneConnection() throws Exception {
        try (SharedRun client = startClient("rdma_multi_conn_send", LOOPBACK, "-nc", "2")) {
            Result result = client.end();

            assertThat(result.errLog())
                    .containsExactly("ERR Client only support single connection, but input num_connections is [2]");
            assertThat(result.exitCode()).isEqualTo(1);
        }
    }
}
