/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A server with a unique name, and its events. */
final class ServerLab implements AutoCloseable {

    static final Duration SOON = Await.LIMIT;
    private static final AtomicInteger LAST = new AtomicInteger();

    final String name = uniqueName();
    final String server = "CommServer \"" + name + "\" on 0000:03:00.0 (mlx5_0) for 0000:0b:00.0 (pf0hpf)";
    final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
    final DeviceRepresentor representor = DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
    final ProgressEngine engine = ProgressEngine.create();
    /** The exceptions of callbacks. */
    final List<Throwable> reported = new ArrayList<>();

    final Events events = new Events();
    final CommServer comm;

    ServerLab() {
        this(builder -> builder);
    }

    ServerLab(UnaryOperator<CommServerBuilder> configuration) {
        engine.errorHandler(reported::add);
        comm = configuration
                .apply(CommServer.builder(device, representor, name).maxSends(8))
                .connectionListener(events)
                .start(engine, events);
    }

    /** Returns a name that no other process uses. */
    static String uniqueName() {
        return "test-" + ProcessHandle.current().pid() + "-" + LAST.incrementAndGet();
    }

    /** Progresses until the server has an event, and returns it. */
    String next() throws InterruptedException {
        if (!engine.await(() -> events.size() > 0, SOON)) {
            return "nothing";
        }
        return events.next();
    }

    /** Connects a client of the peer. */
    CommConnection connect(PeerJvm host) throws InterruptedException {
        assertThat(host.ask("client " + name + " 8")).isEqualTo("started");
        assertThat(next()).isEqualTo("connected");
        assertThat(host.ask("event " + name)).isEqualTo("connected");
        return connection();
    }

    CommConnection connection() {
        return Objects.requireNonNull(events.connection);
    }

    <T> T get(Completion<T> completion) throws Exception {
        return completion.await(SOON);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        comm.close();
        engine.close();
        representor.close();
        device.close();
        assertThat(reported).isEmpty();
    }
}
