/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.DocaException;
import io.docajava.comch.CommClient;
import io.docajava.comch.CommConnection;
import io.docajava.comch.CommEndpoint;
import io.docajava.comch.CommEndpointBuilder;
import io.docajava.comch.CommMessage;
import io.docajava.comch.CommServer;
import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.side.Side;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the export of an event from one side to the other, over a comm channel. */
final class EventChannel implements EventLink {

    private static final Logger LOG = LoggerFactory.getLogger(EventChannel.class);

    private static final String SERVICE = "sync_event_cc";
    private static final int MAX_MESSAGE = 1024;
    private static final int QUEUE = 8;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(1);

    private final ProgressEngine engine;
    private final Duration patience;
    private final String otherSample;
    private final CommEndpoint endpoint;
    private @Nullable CommConnection connection;
    private byte @Nullable [] received;

    /**
     * @param representor of the host's PCI function; null on the host
     * @param patience the longest time of each wait for the other side
     * @param otherSample the sample for the other side, which the message of a failure names
     * @throws SampleException if this is the host, and there is no server
     */
    EventChannel(
            Device device,
            @Nullable DeviceRepresentor representor,
            ProgressEngine engine,
            Duration patience,
            String otherSample) {
        this.engine = engine;
        this.patience = patience;
        this.otherSample = otherSample;
        this.endpoint = representor == null
                ? startClient(device)
                : configure(CommServer.builder(device, representor, SERVICE)).start(engine, this::received);
    }

    private CommClient startClient(Device device) {
        try {
            return configure(CommClient.builder(device, SERVICE)).start(engine, this::received);
        } catch (DocaCallException e) {
            if (e.error() == DocaError.CONNECTION_ABORTED) {
                throw new SampleException(e.getMessage() + ". " + Side.DPU.startFirst(otherSample));
            }
            throw e;
        }
    }

    private static <B extends CommEndpointBuilder<B>> B configure(B builder) {
        return builder.maxMessageSize(MAX_MESSAGE).receiveQueueSize(QUEUE).maxSends(QUEUE);
    }

    /** Receives the messages of the endpoint. */
    @SuppressWarnings("unused") // the signature is that of message handlers
    private void received(CommConnection source, CommMessage message) {
        received = message.bytes();
    }

    /**
     * Connects. The DPU must call this first.
     *
     * @throws SampleException if the other side does not connect in time
     * @throws DocaException if this is the host, and the server refuses it
     */
    @Override
    public void meet() throws InterruptedException {
        connection = switch (endpoint) {
            case CommServer server -> accept(server);
            case CommClient client -> connect(client);
        };
    }

    private CommConnection accept(CommServer server) throws InterruptedException {
        LOG.info("Waiting for connection from host");
        if (!engine.await(() -> !server.connections().isEmpty(), patience)) {
            throw new SampleException("Failed to receive connection from host: timeout. Start " + otherSample
                    + " meanwhile, on the emulator with " + Side.HOST.role());
        }
        LOG.info("Received connection from host");
        return server.connections().getFirst();
    }

    private CommConnection connect(CommClient client) throws InterruptedException {
        try {
            CommConnection made = client.whenConnected().await(patience);
            LOG.info("Connection to DPU has been established");
            return made;
        } catch (TimeoutException e) {
            throw new SampleException("Failed to connect to server: timeout. " + Side.DPU.startFirst(otherSample));
        }
    }

    /**
     * Sends only the descriptor, because the other side may be a program in C. Called after {@link #meet}.
     *
     * @throws SampleException if the other side has ended, or does not receive the descriptor in time
     */
    @Override
    public void send(SyncEventExport export) throws InterruptedException {
        CommConnection target = connection();
        try {
            submit(target, export.descriptor()).await(patience);
        } catch (TimeoutException e) {
            throw new SampleException("Failed to send the sync event to remote side: timeout");
        } catch (IllegalStateException | DocaException e) {
            // Sends may fail because of the end of the connection before that end is delivered.
            engine.progressAll();
            if (target.isConnected()) {
                throw e;
            }
            throw new SampleException("Remote side has disconnected and not received the sync event");
        }
    }

    /** Sends a message, and retries while the other side's receive queue is full. */
    private Completion<Long> submit(CommConnection target, byte[] message)
            throws InterruptedException, TimeoutException {
        long began = System.nanoTime();
        while (true) {
            Completion<Long> sent = target.send(message);
            boolean isFull = sent.isCompletedExceptionally()
                    && sent.exceptionNow() instanceof DocaCallException refusal
                    && refusal.error() == DocaError.AGAIN;
            if (!isFull) {
                return sent;
            }
            if (System.nanoTime() - began > patience.toNanos()) {
                throw new TimeoutException("The other side has no room");
            }
            engine.await(() -> !target.isConnected(), BETWEEN_TRIES);
        }
    }

    /**
     * Waits for the export that the other side sends. Called after {@link #meet}.
     *
     * @throws SampleException if the other side sends none
     */
    @Override
    public SyncEventExport receive() throws InterruptedException {
        CommConnection source = connection();
        engine.await(() -> received != null || !source.isConnected(), patience);
        if (received == null) {
            throw new SampleException(
                    source.isConnected()
                            ? "Failed to receive the sync event of remote side: timeout"
                            : "Remote side has disconnected and not sent a sync event");
        }
        return SyncEventExport.of(SyncEventExport.Kind.PCI, received);
    }

    /** On the DPU, waits until the host has ended the connection. Does nothing on the host, which ends it by {@link #close}. */
    @Override
    public void finish() throws InterruptedException {
        if (endpoint instanceof CommServer) {
            try {
                connection().whenDisconnected().await(patience);
                LOG.info("Client has disconnected from server");
            } catch (TimeoutException e) {
                throw new SampleException("Server did not get client disconnection: timeout");
            }
        }
    }

    private CommConnection connection() {
        return Objects.requireNonNull(connection, "A connection before meet()");
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
