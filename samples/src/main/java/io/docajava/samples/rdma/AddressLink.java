/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaListener;
import io.docajava.rdma.Received;
import io.docajava.samples.cli.Keyboard;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects by address: one side listens as the server, and the others connect as clients. Exports are sent as messages. */
final class AddressLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(AddressLink.class);

    private static final String RULE = "-----------------------------------------------";
    private static final int MAX_MESSAGE = 4096;

    private final Role role;
    private final RdmaContext rdma;
    private final AddressFlags flags;
    private final @Nullable RdmaAddress server;
    private final String name;

    private final List<RdmaConnection> connected = new ArrayList<>();
    private @Nullable RdmaListener listener;
    private byte @Nullable [] offered;

    AddressLink(Role role, RdmaContext rdma, AddressFlags flags) {
        this.role = role;
        this.rdma = rdma;
        this.flags = flags;
        this.server = flags.server();
        this.name = server == null ? "Server" : "Client";
    }

    @Override
    public void offer(Mmap memory) {
        offered = memory.exportRdma(rdma.device()).descriptor();
    }

    @Override
    public void offer(SyncEvent event) {
        offered = event.exportRdma().descriptor();
    }

    @Override
    public List<RdmaConnection> connect(int connections) throws IOException, InterruptedException {
        LOG.info("Using RDMA_CM to setup RDMA connection");
        RdmaAddress to = server;
        if (to != null && connections > 1) {
            throw new SampleException(
                    "Client only support single connection, but input num_connections is [" + connections + "]");
        }
        describe(connections);
        List<Completion<RdmaConnection>> coming = to == null ? listen(connections) : List.of(connectTo(to));
        LOG.info("[{}] started connection successfully", name);
        LOG.info("RDMA context finished initialization");
        ProgressEngine engine = rdma.engine();
        engine.await(() -> coming.size() == connections);
        for (Completion<RdmaConnection> one : coming) {
            connected.add(one.await());
        }
        if (offered != null) {
            tellOf(offered, connected.getFirst());
        }
        return connected;
    }

    private void describe(int connections) {
        LOG.info(RULE);
        LOG.info("RDMA_CM connection params:");
        LOG.info("-- Connection Role: {}", name);
        LOG.info("-- Addr_type : {}", flags.typeNumber());
        LOG.info("-- Addr: {}", server == null ? "NULL" : server);
        LOG.info("-- Port: {}", flags.port());
        LOG.info("-- Num_connections: {}", connections);
        LOG.info(RULE);
    }

    private List<Completion<RdmaConnection>> listen(int connections) {
        List<Completion<RdmaConnection>> coming = new ArrayList<>();
        LOG.info("Server calling doca_rdma_start_listen_to_port");
        listener = rdma.listen(flags.port(), request -> {
            if (coming.size() < connections) {
                coming.add(request.accept());
            } else {
                request.reject();
            }
        });
        return coming;
    }

    private Completion<RdmaConnection> connectTo(RdmaAddress address) {
        LOG.info("Client calling doca_rdma_connect_to_addr");
        return rdma.connect(address, flags.port());
    }

    private void tellOf(byte[] descriptor, RdmaConnection connection) throws IOException, InterruptedException {
        LOG.info("Start to exchange data resource between client and server");
        try (Mmap memory = Mmap.allocate(rdma.device(), descriptor.length, Access.LOCAL_READ_WRITE)) {
            MemorySegment.copy(descriptor, 0, memory.segment(), JAVA_BYTE, 0, descriptor.length);
            LOG.info("Wait till the requester has finished the submission of the receive task for negotiation and press"
                    + " enter");
            Keyboard.awaitEnter("the requester may not be there");
            // The engine was not progressed meanwhile.
            checkPeer();
            await(connection.send(memory.range(0, descriptor.length)));
        }
    }

    @Override
    public Mmap importMemory() throws InterruptedException {
        return Mmap.fromDescriptor(rdma.device(), receiveDescriptor());
    }

    @Override
    public RemoteSyncEvent importEvent() throws InterruptedException {
        return RemoteSyncEvent.of(rdma.device(), SyncEventExport.of(SyncEventExport.Kind.RDMA, receiveDescriptor()));
    }

    private byte[] receiveDescriptor() throws InterruptedException {
        LOG.info("Start to exchange data resource between client and server");
        try (Mmap memory = Mmap.allocate(rdma.device(), MAX_MESSAGE, Access.LOCAL_READ_WRITE)) {
            Completion<Received> received = rdma.receive(memory.all());
            LOG.info("Negotiation receive task submission completed");
            return await(received).range().orElseThrow().segment().toArray(JAVA_BYTE);
        }
    }

    @Override
    public <T> T await(Completion<T> fromPeer) throws InterruptedException {
        return PeerWait.orStop(rdma, () -> {
            ProgressEngine engine = rdma.engine();
            engine.await(() -> fromPeer.isDone() || isOver());
            if (!fromPeer.isDone()) {
                throw gone();
            }
            return fromPeer.await();
        });
    }

    /** Returns whether the connection has ended; its messages were delivered before. */
    private boolean isOver() {
        return connected.stream().allMatch(connection -> connection.state().isFinal());
    }

    private SampleException gone() {
        return new SampleException("The connection has ended before the " + role.peer() + " has done its part");
    }

    @Override
    public void checkPeer() {
        rdma.engine().progressAll();
        if (isOver()) {
            throw gone();
        }
    }

    @Override
    public void await(String word, Prompt prompt) throws IOException {
        if (prompt.withAddresses() != null) {
            LOG.info(prompt.withAddresses());
            Keyboard.awaitEnter("the " + role.peer() + " may not be ready");
        }
    }

    @Override
    public void sendWord(String word) {
        // The user sees what is printed.
    }

    @Override
    public void disconnect() {
        for (RdmaConnection connection : connected) {
            if (!connection.state().isFinal()) {
                connection.disconnect();
                LOG.info("[{}] successfully disconnect rdma-cm connection", name);
            }
        }
    }

    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
    }
}
