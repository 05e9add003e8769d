/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.DeepStack;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a stack overflow in a call neither ends the JVM, nor loses a server, a client or a message. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class StackOverflowTest {

    private static final int ROUNDS = 2;

    @ParameterizedTest
    @ValueSource(strings = {"native", "upcall"})
    void servers(String completions, PeerJvm dpu) throws Exception {
        run(dpu.role(DocaEmulator.Role.DPU), completions, Servers.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "upcall"})
    void clients(String completions, PeerJvm host) throws Exception {
        run(host.role(DocaEmulator.Role.HOST), completions, Clients.class);
    }

    /** Runs without a compiler, so that each level uses the same amount of stack. */
    private static void run(PeerJvm jvm, String completions, Class<?> main) throws Exception {
        jvm.options("-Xint", "-Xss400k", "-XX:MaxJavaStackTraceDepth=3", "-Ddoca.completions=" + completions)
                .start(main);
        assertThat(jvm.await()).as(jvm.output()).isZero();
    }

    /** Uses a server, whose client is in another process. */
    static final class Servers {

        public static void main(String[] arguments) throws Throwable {
            try (PeerJvm host = Peer.start(DocaEmulator.Role.HOST);
                    ServerLab lab = new ServerLab()) {
                for (int round = 0; round < ROUNDS; round++) {
                    host.ask((round == 0 ? "client " : "restart ") + lab.name + " 8");
                    awaitEvent(lab.engine, lab.events, "connected");
                    assertThat(host.ask("event " + lab.name)).isEqualTo("connected");
                    CommConnection connection = lab.connection();

                    exchange(lab.engine, lab.events, connection, host, lab.name);
                    attempt(connection::disconnect);

                    awaitEvent(lab.engine, lab.events, "disconnected DISCONNECTED");
                    assertThat(host.ask("event " + lab.name)).isEqualTo("disconnected PEER");
                    attempt(lab.comm::stop);
                    progressUntil(lab.engine, lab.comm, ContextState.IDLE);
                    attempt(lab.comm::restart);
                    progressUntil(lab.engine, lab.comm, ContextState.RUNNING);
                }
                attempt(lab.comm::close);
                assertThat(host.ask("close " + lab.name)).isEqualTo("done");
                CommServer another = result(() -> CommServer.builder(lab.device, lab.representor, lab.name)
                        .start(lab.engine, lab.events));
                attempt(another::close);
            }
        }
    }

    /** Uses a client, whose server is in another process. */
    static final class Clients {

        public static void main(String[] arguments) throws Throwable {
            String name = ServerLab.uniqueName();
            Events events = new Events();
            try (PeerJvm dpu = Peer.start(DocaEmulator.Role.DPU);
                    Device device = Device.open(DeviceFilter.pciAddress("0b:00.0"));
                    ProgressEngine engine = ProgressEngine.create()) {
                assertThat(dpu.ask("server " + name + " 2048")).isEqualTo("started");
                CommClient comm = result(() -> CommClient.builder(device, name)
                        .connectionListener(events)
                        .start(engine, events));
                for (int round = 0; round < ROUNDS; round++) {
                    awaitEvent(engine, events, "connected");
                    assertThat(dpu.ask("event " + name)).isEqualTo("connected");
                    CommConnection connection = Objects.requireNonNull(events.connection);

                    exchange(engine, events, connection, dpu, name);
                    attempt(round % 2 == 0 ? connection::disconnect : comm::stop);

                    awaitEvent(engine, events, round % 2 == 0 ? "disconnected DISCONNECTED" : "disconnected STOPPED");
                    assertThat(dpu.ask("event " + name)).isEqualTo("disconnected PEER");
                    progressUntil(engine, comm, ContextState.IDLE);
                    attempt(comm::restart);
                }
                attempt(comm::close);
            }
        }
    }

    /** Sends a message in each direction. */
    private static void exchange(
            ProgressEngine engine, Events events, CommConnection connection, PeerJvm peer, String name)
            throws Throwable {
        Completion<Long> sent = result(() -> connection.send(ServerLab.bytes("ping")));
        while (!sent.isDone()) {
            attempt(engine::progress);
        }
        assertThat(sent).isCompletedWithValue(4L);
        assertThat(peer.ask("event " + name)).isEqualTo("message ping");
        peer.send("send " + name + " pong");
        awaitEvent(engine, events, "message pong");
        assertThat(peer.receive(engine)).isEqualTo("sent 4");
    }

    private static void awaitEvent(ProgressEngine engine, Events events, String event) throws Throwable {
        while (events.size() == 0) {
            attempt(engine::progress);
        }
        assertThat(events.next()).isEqualTo(event);
    }

    private static void progressUntil(ProgressEngine engine, CommEndpoint endpoint, ContextState state)
            throws Throwable {
        while (endpoint.state() != state) {
            attempt(engine::progress);
        }
    }

    /** Creates an object at the end of the stack, as {@link #attempt} does. */
    private static <T> T result(Callable<T> creation) throws Throwable {
        AtomicReference<@Nullable T> result = new AtomicReference<>();
        attempt(() -> result.set(creation.call()));
        return Objects.requireNonNull(result.get());
    }

    /** Makes a call at the end of the stack, where it overflows at least once. */
    private static void attempt(DeepStack.Code call) throws Throwable {
        assertThat(DeepStack.attempt(call)).isPositive();
    }
}
