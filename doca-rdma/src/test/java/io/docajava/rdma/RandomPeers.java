/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.ConnectionEndedException;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.ffi.DocaLibrary;
import io.docajava.rdma.internal.Internals;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Contexts on one engine that are used at random, and the model of their state. */
final class RandomPeers implements AutoCloseable {

    /** If false, a context has one connection per run, which uses details. */
    private static final boolean HAS_CONNECTIONS = DocaLibrary.load().has(NeedsFunction.CONNECTIONS);

    /** The number of connections and messages that test something. */
    private static final int ENOUGH = 10;

    private static final int MAX_CONNECTIONS = HAS_CONNECTIONS ? 4 : 1;
    private static final int MESSAGE = 64;
    private static final RdmaAddress LOOPBACK = RdmaAddress.ipv4("127.0.0.1");
    /** Other processes that run tests at the same time use other ports. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(60_000 + (int) (ProcessHandle.current().pid() % 50) * 100);

    private final Random random;
    private final ProgressEngine engine = ProgressEngine.create();
    private final List<Peer> peers = new ArrayList<>();
    /** All connections of the run, with their last state in the model. */
    private final Map<RdmaConnection, ConnectionState> states = new HashMap<>();

    private final List<RdmaConnection> connections = new ArrayList<>();
    private final List<ConnectionRequest> requests = new ArrayList<>();
    private final List<Throwable> wrong = new ArrayList<>();
    private int pending;
    private int sent;
    private int failedSends;
    private int received;
    private int failedReceives;
    private int established;
    private boolean inCallback;
    private boolean resting;

    RandomPeers(Random random) {
        this.random = random;
        engine.errorHandler(wrong::add);
        for (String device : List.of("mlx5_0", "mlx5_1", "mlx5_0")) {
            peers.add(new Peer(device));
        }
    }

    /** A context, its port, and its view of the memory of all peers. */
    private final class Peer {
        final int port = NEXT_PORT.getAndIncrement();
        final Side side;
        final List<RdmaListener> listeners = new ArrayList<>();
        final Map<Peer, Mmap> imported = new HashMap<>();

        Peer(String device) {
            side = new Side(device, engine, HAS_CONNECTIONS ? this::allowSeveral : builder -> builder, Side.ALL);
        }

        private RdmaContextBuilder allowSeveral(RdmaContextBuilder builder) {
            return builder.maxConnections(MAX_CONNECTIONS)
                    .rnrRetryCount(7)
                    .connectionRequestTimeout(Duration.ofSeconds(random.nextInt(4) == 0 ? 1 : 20));
        }

        RdmaContext rdma() {
            return side.rdma;
        }

        boolean isRunning() {
            return rdma().state() == ContextState.RUNNING;
        }

        Mmap memoryOf(Peer other) {
            return imported.computeIfAbsent(
                    other, of -> Mmap.fromExport(side.device, of.side.memory.exportRdma(of.side.device)));
        }

        void close() {
            rdma().close();
            side.buffers.close();
            imported.values().forEach(Mmap::close);
        }
    }

    void doAnything() {
        int choice = random.nextInt(40);
        if (!HAS_CONNECTIONS && choice < 15) {
            doWithOneConnection();
            return;
        }
        switch (choice) {
            case 0, 1 -> listen();
            case 2 -> closeListener();
            case 3, 4, 5, 6 -> connectByAddress();
            case 7, 8, 9 -> connectByDetails();
            case 10, 11, 12 -> answer();
            case 13, 14 -> disconnect();
            case 15, 16, 17, 18 -> receive();
            case 19, 20, 21, 22, 23, 24 -> operate();
            case 25 -> stop();
            case 26, 27 -> restart();
            case 28 -> connectWrongly();
            default -> engine.progress();
        }
    }

    /** Uses a release where a context gets another connection only after a restart. */
    private void doWithOneConnection() {
        switch (random.nextInt(15)) {
            case 0 -> connectAfresh();
            case 1 -> stop();
            case 2, 3 -> restart();
            case 4, 5, 6 -> connectByDetails();
            default -> receive();
        }
    }

    private void connectAfresh() {
        Peer peer = peers.getFirst();
        Peer other = peers.getLast();
        for (Peer one : List.of(peer, other)) {
            attempt(true, refusal -> false, one.rdma()::stop);
            while (one.rdma().state() == ContextState.STOPPING) {
                engine.progress();
            }
            attempt(one.rdma().state() == ContextState.IDLE, refusal -> false, one.rdma()::restart);
        }
        connectByDetails(peer, other);
    }

    private void doAnythingInACallback() {
        if (resting || inCallback) {
            return;
        }
        inCallback = true;
        try {
            switch (HAS_CONNECTIONS ? random.nextInt(30) : 9 + random.nextInt(21)) {
                case 0 -> listen();
                case 1 -> closeListener();
                case 2, 3 -> connectByAddress();
                case 4 -> connectByDetails();
                case 5, 6 -> answer();
                case 7, 8 -> disconnect();
                case 9 -> receive();
                case 10, 11 -> operate();
                case 12 -> stop();
                case 13, 14 -> restart();
                default -> {}
            }
        } catch (Throwable failure) {
            wrong.add(failure);
        } finally {
            inCallback = false;
        }
    }

    /** Compares the observable state with the model. */
    void check() {
        assertThat(wrong).isEmpty();
        for (Peer peer : peers) {
            List<RdmaConnection> open = peer.rdma().connections();
            assertThat(open).noneMatch(connection -> connection.state().isFinal());
            if (peer.rdma().state() == ContextState.IDLE) {
                assertThat(open).isEmpty();
                assertThat(Internals.addressesInUse(peer.rdma())).isZero();
            }
            assertThat(Internals.addressesInUse(peer.rdma())).isLessThanOrEqualTo(MAX_CONNECTIONS);
        }
    }

    /** Returns whether more commands are needed to test anything: some libraries establish connections slowly. */
    boolean haveDoneLittle() {
        return Math.min(established, sent) <= ENOUGH;
    }

    /** Ends all operations, and checks that nothing was lost. */
    void quiesce() throws InterruptedException {
        resting = true;
        peers.forEach(peer -> peer.rdma().stop());
        assertThat(engine.await(
                        () -> pending == 0
                                && peers.stream().allMatch(peer -> peer.rdma().state() == ContextState.IDLE),
                        Await.LIMIT))
                .as("%s have not ended", pending)
                .isTrue();
        check();
        assertThat(connections).allMatch(connection -> connection.state().isFinal());
        // A context that stops or fails also fails operations that were executed but not yet reported.
        assertThat(received).isBetween(sent - failedReceives, sent + failedSends);
        assertThat(List.of(established, sent)).allMatch(count -> count > ENOUGH);
    }

    @Override
    public void close() {
        resting = true;
        peers.forEach(Peer::close);
        peers.forEach(peer -> peer.side.close());
        engine.close();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Returns any connection of the run, usually an open one, as most connections end soon. */
    private RdmaConnection anyMostlyOpen() {
        List<RdmaConnection> open = peers.stream()
                .flatMap(peer -> peer.rdma().connections().stream())
                .toList();
        return open.isEmpty() || random.nextInt(8) == 0 ? any(connections) : any(open);
    }

    private void listen() {
        Peer peer = any(peers);
        boolean listens = peer.listeners.stream().anyMatch(RdmaListener::isOpen);
        attempt(
                peer.isRunning(),
                refusal -> listens && refusal instanceof IllegalStateException,
                () -> peer.listeners.add(peer.rdma().listen(peer.port, request -> {
                    requests.add(request);
                    if (random.nextBoolean()) {
                        answer();
                    }
                    doAnythingInACallback();
                })));
    }

    private void closeListener() {
        Peer peer = any(peers);
        if (!peer.listeners.isEmpty()) {
            RdmaListener listener = any(peer.listeners);
            attempt(peer.isRunning() || !listener.isOpen(), refusal -> false, listener::close);
            peer.listeners.removeIf(one -> !one.isOpen());
        }
    }

    private void connectByAddress() {
        Peer peer = any(peers);
        int port = any(peers).port;
        attempt(
                peer.isRunning(),
                refusal -> refusal instanceof ResourceExhaustedException,
                () -> awaitConnection(peer.rdma().connect(LOOPBACK, port)));
        peer.rdma().connections().forEach(this::watch);
    }

    /** Connects by details. In some cases the other side never gets them. */
    private void connectByDetails() {
        connectByDetails(any(peers), any(peers));
    }

    private void connectByDetails(Peer peer, Peer other) {
        List<RdmaConnection> made = new ArrayList<>();
        for (Peer one : List.of(peer, other)) {
            attempt(
                    one.isRunning(),
                    refusal -> HAS_CONNECTIONS
                            ? refusal instanceof ResourceExhaustedException
                            : isError(refusal, DocaError.NOT_SUPPORTED),
                    () -> made.add(one.rdma().prepareConnection()));
        }
        made.forEach(this::watch);
        if (made.size() == 2) {
            connect(made.getFirst(), made.getLast());
            if (random.nextInt(4) > 0) {
                connect(made.getLast(), made.getFirst());
            }
        }
    }

    private void connect(RdmaConnection connection, RdmaConnection peer) {
        attempt(
                connection.state() == ConnectionState.PREPARED,
                refusal -> isError(refusal, DocaError.CONNECTION_ABORTED),
                () -> awaitConnection(connection.connect(peer.details())));
    }

    private void connectWrongly() {
        if (!connections.isEmpty()) {
            RdmaConnection connection = any(connections);
            RdmaConnection other = any(connections);
            if (connection.state() != ConnectionState.PREPARED) {
                attempt(false, refusal -> false, () -> awaitConnection(connection.connect(other.details())));
            }
        }
    }

    private void answer() {
        if (requests.isEmpty()) {
            return;
        }
        ConnectionRequest request = any(requests);
        requests.remove(request);
        // The peer may have given up, which the SDK knows before this side does.
        Predicate<Throwable> late =
                refusal -> isIllegalState(refusal) || isError(refusal, DocaError.CONNECTION_ABORTED);
        if (random.nextInt(4) == 0) {
            attempt(true, late, request::reject);
        } else {
            attempt(true, late, () -> awaitConnection(request.accept()));
            request.context().connections().forEach(this::watch);
        }
    }

    private void disconnect() {
        if (!connections.isEmpty()) {
            RdmaConnection connection = anyMostlyOpen();
            boolean isAnswered = connection.state() != ConnectionState.CONNECTING;
            attempt(true, refusal -> !isAnswered && isIllegalState(refusal), () -> {
                connection.disconnect();
                assertThat(connection.state().isFinal()).isTrue();
            });
        }
    }

    private void receive() {
        Peer peer = any(peers);
        long offset = random.nextInt(64) * 256L;
        switch (random.nextInt(3)) {
            case 0 -> receive(peer, () -> peer.rdma().receive(), null);
            case 1 -> receive(peer, () -> peer.rdma().receive(peer.side.memory.range(offset, MESSAGE)), null);
            default -> {
                Buf space = peer.side.space(offset, MESSAGE);
                if (!receive(peer, () -> peer.rdma().receive(space), space)) {
                    space.close();
                }
            }
        }
    }

    private boolean receive(Peer peer, Supplier<Completion<Received>> call, @Nullable Buf space) {
        return attempt(peer.isRunning(), RandomPeers::isShortOfTasks, () -> awaitReceived(peer, call.get(), space));
    }

    private void operate() {
        if (connections.isEmpty()) {
            return;
        }
        RdmaConnection connection = anyMostlyOpen();
        Peer peer = peerOf(connection);
        boolean byDetails = connection.state() == ConnectionState.CONNECTING && isByDetails(connection);
        boolean usable = peer.isRunning() && (connection.state() == ConnectionState.ESTABLISHED || byDetails);
        // The SDK knows of the end of a connection before this side is notified.
        Predicate<Throwable> late = refusal ->
                isShortOfTasks(refusal) || (isError(refusal, DocaError.NOT_CONNECTED) && !isByDetails(connection));
        switch (random.nextInt(4)) {
            case 0 -> attempt(usable, late, () -> awaitSent(connection.submit(RdmaOperation.sendImmediate(7))));
            case 1 -> attempt(usable, late, () -> awaitSent(connection.submit(RdmaOperation.writeImmediate(9))));
            case 2 -> {
                MapRange target = peer.memoryOf(any(peers)).range(512 * 1024L, MESSAGE);
                attempt(usable, late, () -> awaitAny(connection.write(peer.side.filled(1024L, MESSAGE), target)));
            }
            default -> {
                Buf data = peer.side.data(2048L, random.nextInt(50) == 0 ? MESSAGE + 1 : MESSAGE);
                if (!attempt(usable, late, () -> awaitSent(connection.send(data), data))) {
                    data.close();
                }
            }
        }
    }

    private void stop() {
        if (random.nextInt(3) == 0) {
            attempt(true, refusal -> false, any(peers).rdma()::stop);
        }
    }

    private void restart() {
        Peer peer = any(peers);
        boolean expected = !peer.isRunning() && (peer.rdma().state() == ContextState.IDLE || !inCallback);
        attempt(expected, refusal -> false, () -> {
            peer.rdma().restart();
            peer.listeners.removeIf(one -> !one.isOpen());
        });
    }

    /**
     * Makes a call.
     *
     * @param expected whether the call must not be refused as an illegal state
     * @param alternative the other results that are allowed
     * @return whether the call was accepted
     */
    private boolean attempt(boolean expected, Predicate<Throwable> alternative, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException refusal) {
            // In a callback the SDK may be ahead of the delivered notifications.
            boolean isIllegalState = isIllegalState(refusal);
            if (!alternative.test(refusal) && !(isIllegalState && (!expected || inCallback))) {
                String what = expected ? "should not be refused: " : "refused in another way: ";
                throw new AssertionError(what + refusal, refusal);
            }
            return false;
        }
        assertThat(expected || inCallback).as("should be refused").isTrue();
        return true;
    }

    private static boolean isError(Throwable failure, DocaError error) {
        return failure instanceof DocaCallException refusal && refusal.error() == error;
    }

    private static boolean isIllegalState(Throwable refusal) {
        return refusal instanceof IllegalStateException
                || refusal instanceof ContextNotRunningException
                || refusal instanceof ConnectionEndedException;
    }

    private static boolean isShortOfTasks(Throwable refusal) {
        return refusal instanceof ResourceExhaustedException;
    }

    private static boolean isByDetails(RdmaConnection connection) {
        try {
            return connection.details() != null;
        } catch (IllegalStateException byAddress) {
            return false;
        }
    }

    private Peer peerOf(RdmaConnection connection) {
        return peers.stream()
                .filter(peer -> peer.rdma() == connection.context())
                .findFirst()
                .orElseThrow();
    }

    /** Checks that states follow each other in a valid order, and that the end is reported. */
    private void watch(RdmaConnection connection) {
        if (states.putIfAbsent(connection, connection.state()) != null) {
            return;
        }
        connections.add(connection);
        connection.addListener((changed, previous, next) -> inCallback(() -> {
            assertThat(states.put(changed, next)).isEqualTo(previous);
            assertThat(next).isGreaterThan(previous);
            established += next == ConnectionState.ESTABLISHED ? 1 : 0;
        }));
        await(connection.whenDisconnected(), (one, failure) -> {
            assertThat(failure).isNull();
            assertThat(one.state().isFinal()).isTrue();
        });
    }

    private void awaitConnection(Completion<RdmaConnection> completion) {
        await(completion, (connection, failure) -> {
            if (failure == null) {
                watch(connection);
            } else {
                assertThat(failure)
                        .isInstanceOfAny(
                                DocaCallException.class,
                                ConnectionEndedException.class,
                                ContextNotRunningException.class);
            }
        });
    }

    /** Throws the reason if an operation could not be started. */
    private static <T> Completion<T> begun(Completion<T> completion) {
        if (completion.isCompletedExceptionally()) {
            throw (RuntimeException) completion.exceptionNow();
        }
        return completion;
    }

    private void awaitReceived(Peer peer, Completion<Received> completion, @Nullable Buf space) {
        await(begun(completion), (what, failure) -> {
            if (failure == null) {
                received++;
                assertThat(what.connection().context()).isSameAs(peer.rdma());
                watch(what.connection());
            } else {
                failedReceives++;
            }
            if (space != null) {
                space.close();
            }
        });
    }

    private void awaitSent(Completion<Long> completion, Buf... buffers) {
        await(begun(completion), (length, failure) -> {
            sent += failure == null ? 1 : 0;
            failedSends += failure == null ? 0 : 1;
            List.of(buffers).forEach(Buf::close);
        });
    }

    private void awaitAny(Completion<Long> completion) {
        await(begun(completion), (length, failure) -> {});
    }

    private interface End<T> {
        void report(T result, @Nullable Throwable failure);
    }

    private <T> void await(Completion<T> completion, End<T> end) {
        pending++;
        CompletableFuture<T> reported = completion.whenComplete((result, failure) -> inCallback(() -> {
            pending--;
            end.report(result, failure);
        }));
        assertThat(reported).isNotNull();
    }

    /** Runs code whose exceptions a completion stage would not propagate. */
    private void inCallback(Runnable code) {
        try {
            code.run();
        } catch (Throwable failure) {
            wrong.add(failure);
        }
        doAnythingInACallback();
    }
}
