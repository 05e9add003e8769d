/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.DocaException;
import io.docajava.comch.CommClient;
import io.docajava.comch.CommConnection;
import io.docajava.comch.CommConnectionListener;
import io.docajava.comch.CommEndpoint;
import io.docajava.comch.CommMessage;
import io.docajava.comch.CommServer;
import io.docajava.comch.DisconnectReason;
import io.docajava.core.ConnectionEndedException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.FullTests;
import io.docajava.testing.NeedsEmulator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs clients and servers of comm channels with failures of their n-th call into DOCA, as {@link FailedCallsTest} does. */
@NeedsEmulator
@ExtendWith(DocaExtension.class)
@Isolated("faults are those of the whole process")
@Timeout(600)
class FailedCommCallsTest {

    private static final byte[] PING = "ping".getBytes(UTF_8);

    @Test
    void callsOfAServerFail(PeerJvm host) throws Exception {
        String name = uniqueName();
        host.role(DocaEmulator.Role.HOST).without("logback").start(test -> {
            Thread.ofPlatform().daemon().start(() -> connectAgainAndAgain(name));
            test.receive();
        });
        FailedCalls.ofEachCall("server", scope -> serveOne(scope, name), FullTests.amount(5, 1));
    }

    @Test
    void callsOfAClientFail(PeerJvm host) throws Exception {
        String name = uniqueName();
        int stride = FullTests.amount(5, 1);
        Scope scope = new Scope();
        ProgressEngine engine = scope.engine();
        startServer(scope, name, engine, new Ends(scope));
        host.role(DocaEmulator.Role.HOST).without("logback").start(test -> {
            FailedCalls.ofEachCall("client", own -> sendOne(own, name), stride);
            test.send("clean");
        });
        assertThat(host.receive(engine)).isEqualTo("clean");
        scope.close();
        // A reply fails if its client has ended.
        assertThat(scope.failures())
                .allMatch(failure ->
                        failure instanceof ConnectionEndedException || failure instanceof TaskFailedException);
    }

    @Test
    void aClientStopsWithoutItsConnection(PeerJvm host) throws Exception {
        String name = uniqueName();
        Scope scope = new Scope();
        ProgressEngine engine = scope.engine();
        startServer(scope, name, engine, new Ends(scope));
        host.role(DocaEmulator.Role.HOST).without("logback").start(test -> {
            Scope own = new Scope();
            refuseConnection(own, name).forEach(test::send);
            own.close();
            own.failures().forEach(failure -> test.send(failure.toString()));
        });
        String reason = "Reading the connection of the CommClient of \"" + name
                + "\" on 0000:0b:00.0 (mlx5_0): doca_comch_client_get_connection failed with DOCA_ERROR_DRIVER"
                + " (DOCA Driver call failure): The faults that are set let doca_comch_client_get_connection() fail";
        assertThat(host.receive(engine)).isEqualTo(reason);
        assertThat(host.receive(engine)).isEqualTo("then Connection 1");
        assertThat(host.receive(engine)).endsWith("DocaCallException: " + reason);
        scope.close();
        assertThat(scope.failures()).isEmpty();
    }

    /** Returns why a client does not connect, and its connection after a restart. */
    private static List<String> refuseConnection(Scope scope, String name) throws Exception {
        ProgressEngine engine = scope.engine();
        Device device = scope.keep(Device.open(DeviceFilter.pciAddress("0b:00.0")));
        try (EmulatorFaults faults = EmulatorFaults.builder()
                .failCall("doca_comch_client_get_connection", 1, "DRIVER")
                .inject()) {
            CommClient client = scope.keep(CommClient.builder(device, name)
                    .connectionListener(new Ends(scope))
                    .start(engine, (connection, message) -> {}));
            Completion<CommConnection> connected = client.whenConnected();
            Throwable failure = catchThrowable(() -> scope.get(connected));
            scope.await(engine, () -> client.state() == ContextState.IDLE);
            client.restart();
            String next = scope.get(client.whenConnected()).toString();
            assertThat(faults).isNotNull();
            return List.of(failure.getMessage(), "then " + next.substring(0, next.indexOf(" of ")));
        }
    }

    private static String uniqueName() {
        return "failures-" + ProcessHandle.current().pid();
    }

    /** Counts the connections that have ended, and notes the failures of those that were not established. */
    private static final class Ends implements CommConnectionListener {

        private final Scope scope;
        private int number;

        Ends(Scope scope) {
            this.scope = scope;
        }

        @Override
        public void connectionFailed(CommEndpoint endpoint, DocaException failure) {
            scope.note(failure);
        }

        @Override
        public void disconnected(CommConnection connection, DisconnectReason reason) {
            number++;
        }
    }

    private static void serveOne(Scope scope, String name) throws Exception {
        ProgressEngine engine = scope.engine();
        Ends ends = new Ends(scope);
        startServer(scope, name, engine, ends);
        scope.await(engine, () -> ends.number > 0 || scope.hasFailed());
    }

    /** Starts a server that sends back each message. */
    private static void startServer(Scope scope, String name, ProgressEngine engine, Ends ends) {
        Device device = scope.keep(Device.open(DeviceFilter.ibDevice("mlx5_0")));
        DeviceRepresentor representor =
                scope.keep(DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0")));
        scope.keep(CommServer.builder(device, representor, name)
                .connectionListener(ends)
                .start(engine, (connection, message) -> answer(scope, connection)));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the scope keeps it
    private static void answer(Scope scope, CommConnection connection) {
        scope.watch(connection.send(PING));
    }

    private static void connectAgainAndAgain(String name) {
        while (true) {
            Scope scope = new Scope();
            try {
                sendOne(scope, name);
            } catch (Exception | AssertionError e) {
                // There is no server now, or it has failed.
            }
            try {
                scope.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void sendOne(Scope scope, String name) throws Exception {
        ProgressEngine engine = scope.engine();
        Device device = scope.keep(Device.open(DeviceFilter.pciAddress("0b:00.0")));
        List<CommMessage> messages = new ArrayList<>();
        CommClient client = scope.keep(
                CommClient.builder(device, name).start(engine, (connection, message) -> messages.add(message)));
        CommConnection connection = scope.get(client.whenConnected());
        scope.get(connection.send(PING));
        scope.await(engine, () -> !messages.isEmpty() || !connection.isConnected() || scope.hasFailed());
        connection.disconnect();
        scope.get(connection.whenDisconnected());
    }
}
