/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncLocation;
import io.docajava.ffi.DocaLibrary;
import io.docajava.junit.PeerJvm;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.ConnectionRequest;
import io.docajava.rdma.ConnectionState;
import io.docajava.rdma.NeedsFunction;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.Received;
import io.docajava.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A peer that executes commands, one a line, and makes no progress between them. Each byte of its memory has the value of its
 * offset.
 */
final class Peer implements AutoCloseable {

    static final String IB_DEVICE = "mlx5_1";

    private static final Duration SOON = Await.LIMIT;
    private static final int MEMORY = 1 << 16;

    private final Device device = Device.open(DeviceFilter.ibDevice(IB_DEVICE));
    private final ProgressEngine engine = ProgressEngine.create();
    private final RdmaContext rdma = patient(RdmaContext.builder(device)
                    .permissions(Access.RDMA_READ.plus(Access.RDMA_WRITE).plus(Access.RDMA_ATOMIC)))
            .start(engine);
    private final Mmap memory = Mmap.allocate(
            device,
            MEMORY,
            Access.LOCAL_READ_WRITE
                    .plus(Access.RDMA_READ)
                    .plus(Access.RDMA_WRITE)
                    .plus(Access.RDMA_ATOMIC));
    private final ArrayDeque<Completion<Received>> receives = new ArrayDeque<>();
    /** All connections. Commands refer to the last one. */
    private final List<RdmaConnection> connections = new ArrayList<>();

    private @Nullable Mmap remote;
    private @Nullable RemoteSyncEvent remoteEvent;
    /** A sync event that peers can change, or null if the release has none. */
    private final @Nullable SyncEvent event = DocaLibrary.load().has(NeedsFunction.REMOTE_EVENTS)
            ? SyncEvent.builder(device)
                    .publisher(SyncLocation.REMOTE_NET)
                    .subscriber(SyncLocation.CPU)
                    .start()
            : null;

    /**
     * Makes sends wait for a receive of the peer, and connection requests for its process, as long as the release permits. A
     * busy machine runs the other process late.
     */
    static RdmaContextBuilder patient(RdmaContextBuilder builder) {
        DocaLibrary library = DocaLibrary.load();
        if (library.has("doca_rdma_set_rnr_retry_count")) {
            builder.rnrRetryCount(7);
        }
        if (library.has("doca_rdma_set_connection_request_timeout")) {
            builder.connectionRequestTimeout(Duration.ofMillis(65535));
        }
        return builder;
    }

    private Peer() {
        fill();
    }

    private void fill() {
        for (long i = 0; i < MEMORY; i++) {
            memory.segment().set(JAVA_BYTE, i, (byte) i);
        }
    }

    /** Starts a process with a peer. A wait for its answer ends with the process, or by the limit of the test class. */
    static PeerJvm start() {
        return PeerJvm.create()
                .without("logback")
                .timeout(Duration.ofMinutes(10))
                .start(Peer.class);
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
        return switch (words[0]) {
            case "export" ->
                Base64.getEncoder().encodeToString(memory.exportRdma(device).toBytes());
            case "import" -> {
                remote = Mmap.fromExport(
                        device, MmapExport.parse(Base64.getDecoder().decode(words[1])));
                yield "imported";
            }
            case "prepare" -> prepare();
            case "connect" -> connect(ConnectionDetails.of(Base64.getDecoder().decode(words[1])));
            case "receive" -> receive(Long.parseLong(words[1]), Long.parseLong(words[2]));
            case "received" -> received();
            case "send" -> String.valueOf(connection().send(data(words)).await(SOON));
            case "byte" -> String.valueOf(memory.segment().get(JAVA_BYTE, Long.parseLong(words[1])));
            case "word" -> String.valueOf(memory.segment().get(JAVA_LONG, Long.parseLong(words[1])));
            case "add" -> add(Integer.parseInt(words[1]));
            case "event" ->
                Base64.getEncoder().encodeToString(event().exportRdma().toBytes());
            case "await" -> String.valueOf(event().newWait().timeout(SOON).untilEqual(Long.parseLong(words[1])));
            case "import-event" -> {
                remoteEvent = RemoteSyncEvent.of(
                        device, SyncEventExport.parse(Base64.getDecoder().decode(words[1])));
                yield "imported";
            }
            case "count" -> count(Integer.parseInt(words[1]));
            case "ended" -> ended();
            case "restart" -> restart();
            case "listen" -> listen(Integer.parseInt(words[1]));
            case "ask" -> ask(RdmaAddress.ipv6(words[1]), Integer.parseInt(words[2]));
            case "hesitate" -> hesitate(Integer.parseInt(words[1]));
            case "absorb" -> absorb();
            case "stream" -> stream();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private String prepare() {
        RdmaConnection prepared = rdma.prepareConnection();
        connections.add(prepared);
        return Base64.getEncoder().encodeToString(prepared.details().bytes());
    }

    private String connect(ConnectionDetails details) throws Exception {
        String state = connection().connect(details).await(SOON).state().name();
        // Before DOCA 2.9, receives are posted only after the next progress, and the other side sends before this one
        // progresses.
        engine.progress();
        return state;
    }

    /** Accepts the next connection request. */
    @SuppressWarnings("FutureReturnValueIgnored") // its effect is awaited
    private String listen(int port) throws Exception {
        List<RdmaConnection> accepted = new ArrayList<>();
        try (var listener = rdma.listen(
                port,
                request -> request.accept().thenAccept(accepted::add).exceptionally(failure -> {
                    throw new IllegalStateException(failure);
                }))) {
            System.out.println("listening to " + listener.port());
            await(() -> !accepted.isEmpty(), "an accepted connection");
        }
        connections.add(accepted.getFirst());
        return "accepted";
    }

    /** Requests a connection. */
    private String ask(RdmaAddress address, int port) throws Exception {
        connections.add(rdma.connect(address, port).await(SOON));
        return "connected";
    }

    /** Neither accepts nor rejects the next connection request. */
    private String hesitate(int port) throws Exception {
        List<ConnectionRequest> requests = new ArrayList<>();
        try (var listener = rdma.listen(port, requests::add)) {
            System.out.println("listening to " + listener.port());
            await(() -> !requests.isEmpty(), "a connection request");
            System.out.println("asked");
            engine.await(() -> false, SOON);
        }
        return "waited in vain";
    }

    /** Receives repeatedly until a receive fails. */
    private String absorb() throws Exception {
        for (int i = 0; i < 8; i++) {
            rdma.receiveTask(memory.all())
                    .onCompletion(done -> {
                        if (done.status() == TaskStatus.SUCCEEDED && rdma.state() == ContextState.RUNNING) {
                            done.submit();
                        }
                    })
                    .submit();
        }
        System.out.println("absorbing");
        await(() -> rdma.state() == ContextState.IDLE, "the stop of the context");
        return "absorbed";
    }

    /** Sends repeatedly until a send fails. */
    private String stream() throws Exception {
        try (RdmaTask send = connection().task(RdmaOperation.send(memory.all()))) {
            send.onCompletion(done -> {
                if (done.status() == TaskStatus.SUCCEEDED && rdma.state() == ContextState.RUNNING) {
                    done.submit();
                }
            });
            send.submit();
            System.out.println("streaming");
            await(() -> rdma.state() == ContextState.IDLE, "the stop of the context");
        }
        return "streamed";
    }

    private MapRange data(String[] words) {
        return memory.range(Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    private String receive(long offset, long length) {
        receives.add(rdma.receive(memory.range(offset, length)));
        rdma.flush();
        return "posted";
    }

    private String received() throws Exception {
        Received received = receives.remove().await(SOON);
        return received.kind() + " " + received.length() + " "
                + received.immediate().orElse(0);
    }

    /** Adds 1 to the first 8 bytes of the imported memory this many times on each connection. */
    private String add(int times) throws Exception {
        Mmap words = remote;
        if (words == null) {
            throw new IllegalStateException("Nothing is imported");
        }
        try (Additions additions = new Additions(connections, words.range(0, 8), times)) {
            await(additions::isOver, "the end of the additions");
            return additions.toString();
        }
    }

    /** Progresses until a condition holds. The error goes to the test, which prints the output of this process. */
    private void await(BooleanSupplier condition, String awaited) throws InterruptedException {
        if (!engine.await(condition, SOON)) {
            throw new IllegalStateException("Waited " + SOON.toSeconds() + " s for " + awaited);
        }
    }

    private SyncEvent event() {
        return Objects.requireNonNull(event);
    }

    /** Adds 1 to the imported event repeatedly, and closes it. */
    private String count(int times) throws Exception {
        RemoteSyncEvent counter = remoteEvent;
        if (counter == null) {
            throw new IllegalStateException("No event is imported");
        }
        try (counter;
                RdmaTask add = connection().task(RdmaOperation.addToEvent(counter, 1))) {
            for (int i = 0; i < times; i++) {
                add.submit();
                await(add::isDone, "the end of an addition to the event");
                if (add.status() != TaskStatus.SUCCEEDED) {
                    return "failed: " + add.failure();
                }
            }
        }
        remoteEvent = null;
        return "counted";
    }

    private String ended() throws Exception {
        await(() -> connection().state().isFinal() || rdma.state() == ContextState.IDLE, "the end of the connection");
        return connection().state() == ConnectionState.DISCONNECTED ? "disconnected " + rdma.state() : "other";
    }

    private String restart() {
        rdma.stop();
        rdma.restart();
        receives.clear();
        connections.clear();
        if (remote != null) {
            remote.close();
            remote = null;
        }
        fill();
        return "restarted";
    }

    private RdmaConnection connection() {
        if (connections.isEmpty()) {
            throw new IllegalStateException("Nothing is prepared");
        }
        return connections.getLast();
    }

    @Override
    public void close() throws IOException {
        rdma.close();
        if (remoteEvent != null) {
            remoteEvent.close();
        }
        if (event != null) {
            event.close();
        }
        if (remote != null) {
            remote.close();
        }
        memory.close();
        engine.close();
        device.close();
    }
}
