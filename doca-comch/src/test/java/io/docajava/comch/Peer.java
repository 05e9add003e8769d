/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import io.docajava.testing.Await;
import io.docajava.testing.Work;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Servers or clients by name, which execute commands, one a line. A loop progresses them continuously. */
final class Peer implements AutoCloseable {

    private final ProgressLoop loop = ProgressLoop.builder()
            .name("peer")
            .idleStrategy(IdleStrategy.eventDriven())
            .start();
    private final boolean isHost = "host".equals(System.getenv(EmulatorEnvironment.ROLE));
    private final Device device = Device.open(DeviceFilter.pciAddress(isHost ? "0b:00.0" : "03:00.0"));
    private final Map<String, CommEndpoint> ends = new HashMap<>();
    private final Map<String, Events> events = new HashMap<>();
    private final List<DeviceRepresentor> representors = new ArrayList<>();
    private final List<Mmap> exported = new ArrayList<>();
    private final List<CompletableFuture<Long>> replies = new ArrayList<>();

    private Peer() {}

    /** Starts a process with a peer on one side of the PCI bus. */
    static PeerJvm start(DocaEmulator.Role role) {
        return PeerJvm.create().role(role).without("logback").start(Peer.class);
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Peer peer = new Peer()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(peer.answer(line.split(" ", -1)));
            }
        }
    }

    private String answer(String[] words) throws Exception {
        String name = words[1];
        try {
            return switch (words[0]) {
                case "client" -> client(name, new Events(), Integer.parseInt(words[2]));
                case "clients" -> clients(name, Integer.parseInt(words[2]));
                case "crowd" -> crowd(name, Integer.parseInt(words[2]));
                case "echo" -> echo(name, Integer.parseInt(words[2]));
                case "server" -> server(name, Integer.parseInt(words[2]));
                case "stream" -> stream(name, Integer.parseInt(words[2]));
                case "receive" -> receive(name, new Receiver(Path.of(words[2])));
                case "event" -> events(name).next();
                case "send" ->
                    "sent " + get(Work.on(loop, () -> connection(name).send(bytes(words[2]))));
                case "burst" -> burst(name, Integer.parseInt(words[2]));
                case "export" -> export(name, Integer.parseInt(words[2]));
                case "disconnect" -> call(() -> connection(name).disconnect());
                case "stop" -> call(() -> end(name).stop());
                case "restart" -> call(() -> end(name).restart());
                case "close" -> call(() -> end(name).close());
                default -> throw new IllegalArgumentException(words[0]);
            };
        } catch (CompletionException e) {
            return String.valueOf(e.getCause());
        }
    }

    private String client(String name, Events log, int maxSends) throws Exception {
        events.put(name, log);
        ends.put(
                name,
                get(loop.call(engine -> CommClient.builder(device, name)
                        .maxSends(maxSends)
                        .connectionListener(log)
                        .start(engine, log))));
        return "started";
    }

    /** Creates this many clients of one server. Each of them sends its number and gets an answer. */
    private String clients(String name, int count) throws Exception {
        Map<CommClient, Events> clients = sendNumbers(name, count);
        int answered = 0;
        for (Events log : clients.values()) {
            answered += log.next().equals("message client-" + answered) ? 1 : 0;
        }
        close(clients.keySet());
        return answered + " answered";
    }

    /** Creates this many clients of one server. Each of them sends its number and waits for the server to disconnect. */
    private String crowd(String name, int count) throws Exception {
        Map<CommClient, Events> clients = sendNumbers(name, count);
        int left = 0;
        for (Events log : clients.values()) {
            left += log.next().equals("disconnected PEER") ? 1 : 0;
        }
        close(clients.keySet());
        return left + " left";
    }

    /** Returns the clients in order, with the events of their connections. */
    private Map<CommClient, Events> sendNumbers(String name, int count) throws Exception {
        Map<CommClient, Events> clients = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            Events log = new Events();
            clients.put(
                    get(loop.call(engine -> CommClient.builder(device, name)
                            .maxSends(1)
                            .connectionListener(log)
                            .start(engine, log))),
                    log);
        }
        int number = 0;
        for (Map.Entry<CommClient, Events> client : clients.entrySet()) {
            byte[] text = bytes("client-" + number++);
            if (!client.getValue().next().equals("connected")) {
                throw new IllegalStateException(client.getKey() + " is not connected");
            }
            get(Work.on(loop, () -> client.getKey().whenConnected().thenCompose(connection -> connection.send(text))));
        }
        return clients;
    }

    private void close(Collection<CommClient> clients) throws Exception {
        for (CommClient client : clients) {
            call(client::close);
        }
    }

    /** Starts a client that sends each message back. */
    private String echo(String name, int receiveQueueSize) throws Exception {
        Events log = new Events();
        events.put(name, log);
        MessageHandler sendBack = (connection, message) -> replies.add(connection.send(message.bytes()));
        ends.put(
                name,
                get(loop.call(engine -> CommClient.builder(device, name)
                        .receiveQueueSize(receiveQueueSize)
                        .connectionListener(log)
                        .start(engine, sendBack))));
        return "started";
    }

    private String server(String name, int maxMessageSize) throws Exception {
        Events log = new Events();
        events.put(name, log);
        DeviceRepresentor representor = openRepresentor();
        ends.put(
                name,
                get(loop.call(engine -> CommServer.builder(device, representor, name)
                        .maxMessageSize(maxMessageSize)
                        .connectionListener(log)
                        .start(engine, log))));
        return "started";
    }

    private DeviceRepresentor openRepresentor() {
        DeviceRepresentor representor = DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
        representors.add(representor);
        return representor;
    }

    /** Starts a client that sends numbered messages, beginning at the number that the server sends. */
    private String stream(String name, int total) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        MessageHandler begin = (connection, message) ->
                new NumberedStream(connection, message.buffer().getLong(), total, done).send();
        ends.put(
                name,
                get(loop.call(
                        engine -> CommClient.builder(device, name).maxSends(256).start(engine, begin))));
        get(done);
        return "done";
    }

    /** Starts this side with a handler that answers by itself. */
    private String receive(String name, Receiver receiver) throws Exception {
        if (isHost) {
            CommClientBuilder client =
                    CommClient.builder(device, name).receiveQueueSize(16).connectionListener(receiver);
            ends.put(name, get(loop.call(engine -> client.start(engine, receiver))));
        } else {
            CommServerBuilder server = CommServer.builder(device, openRepresentor(), name)
                    .receiveQueueSize(16)
                    .connectionListener(receiver);
            ends.put(name, get(loop.call(engine -> server.start(engine, receiver))));
        }
        return "started";
    }

    private String burst(String name, int count) throws Exception {
        List<CompletableFuture<Long>> sends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] text = bytes(String.valueOf(i));
            sends.add(Work.on(loop, () -> connection(name).send(text)));
        }
        for (CompletableFuture<Long> send : sends) {
            get(send);
        }
        return "sent " + count;
    }

    private String export(String name, int length) throws Exception {
        Mmap memory = Mmap.allocate(device, length, Access.PCI_READ_WRITE);
        exported.add(memory);
        get(Work.on(loop, () -> connection(name).sendExport(memory.exportPci(device))));
        return "exported";
    }

    private String call(Runnable work) throws Exception {
        get(loop.call(engine -> {
            work.run();
            return true;
        }));
        return "done";
    }

    private CommEndpoint end(String name) {
        return Objects.requireNonNull(ends.get(name), name);
    }

    private Events events(String name) {
        return Objects.requireNonNull(events.get(name), name);
    }

    private CommConnection connection(String name) {
        return Objects.requireNonNull(events(name).connection, name);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.orTimeout(Await.LIMIT_S, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        loop.close();
        representors.forEach(DeviceRepresentor::close);
        exported.forEach(Mmap::close);
        device.close();
    }
}
