/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.exchange.DescriptorExchange;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects by descriptors that the peers exchange over a socket. */
final class ExchangeLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeLink.class);

    private static final String MEMORY = "memory";
    private static final String EVENT = "sync-event";

    private final RdmaContext rdma;
    private final DescriptorExchange peer;
    private final PeerWait wait;

    ExchangeLink(RdmaContext rdma, DescriptorExchange peer, Duration timeout) {
        this.rdma = rdma;
        this.peer = peer;
        this.wait = new PeerWait(rdma, timeout);
    }

    @Override
    public void offer(Mmap memory) throws IOException {
        peer.send(MEMORY, memory.exportRdma(rdma.device()));
    }

    @Override
    public void offer(SyncEvent event) throws IOException {
        peer.send(EVENT, event.exportRdma().toBytes());
    }

    @Override
    public List<RdmaConnection> connect(int connections) throws IOException {
        List<RdmaConnection> connected = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            RdmaConnection connection = rdma.prepareConnection();
            peer.send("connection-" + i, connection.details());
            connected.add(connection);
        }
        for (int i = 0; i < connections; i++) {
            connect(connected.get(i), "connection-" + i);
        }
        LOG.info("RDMA context finished initialization");
        return connected;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // without a check, it is complete
    private void connect(RdmaConnection connection, String label) throws IOException {
        connection.connect(peer.receiveConnection(label));
    }

    @Override
    public Mmap importMemory() throws IOException {
        return Mmap.fromExport(rdma.device(), peer.receiveExport(MEMORY));
    }

    @Override
    public RemoteSyncEvent importEvent() throws IOException {
        byte[] export = peer.receive(EVENT);
        try {
            return RemoteSyncEvent.of(rdma.device(), SyncEventExport.parse(export));
        } catch (IllegalArgumentException e) {
            throw new SampleException(
                    "The peer sent something other than the export of a sync event: " + e.getMessage());
        }
    }

    @Override
    public <T> T await(Completion<T> fromPeer) throws InterruptedException {
        return wait.orStop("The peer has made no progress for", fromPeer);
    }

    @Override
    public void checkPeer() {
        // Such connections do not report the end of the peer; only operations fail.
    }

    @Override
    public void await(String word, Prompt prompt) throws IOException {
        peer.receive(word);
    }

    @Override
    public void sendWord(String word) throws IOException {
        peer.send(word, new byte[0]);
    }

    @Override
    public void disconnect() {
        // Such connections end with their context.
    }

    @Override
    public void close() {
        peer.close();
    }
}
