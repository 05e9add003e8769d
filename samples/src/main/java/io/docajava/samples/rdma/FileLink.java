/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.TransportType;
import io.docajava.samples.cli.Keyboard;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects by descriptors in files, which the user copies between the peers, pressing enter when they are complete. */
final class FileLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(FileLink.class);

    private static final String DOUBT = "the peer may not be there";

    private final Role role;
    private final RdmaContext rdma;
    private final FileFlags files;
    private final TransportType transport;

    /** The files that this side has written, or has read successfully. Other files must not be deleted. */
    private final List<Path> used = new ArrayList<>();

    private @Nullable DescriptorFile offered;

    FileLink(Role role, RdmaContext rdma, FileFlags files, TransportType transport) {
        this.role = role;
        this.rdma = rdma;
        this.files = files;
        this.transport = transport;
    }

    /** Writes a descriptor to a file. */
    @FunctionalInterface
    private interface DescriptorFile {
        void write(Path file) throws IOException;
    }

    @Override
    public void offer(Mmap memory) {
        offered = memory.exportRdma(rdma.device())::saveDescriptor;
    }

    @Override
    public void offer(SyncEvent event) {
        offered = event.exportRdma()::saveDescriptor;
    }

    @Override
    public List<RdmaConnection> connect(int connections) throws IOException {
        List<RdmaConnection> connected =
                connections == 1 ? List.of(connect(files.local(), files.remote())) : connectAll(connections);
        LOG.info("RDMA context finished initialization");
        return connected;
    }

    /** Connects one connection after the other, each with separate files. */
    private List<RdmaConnection> connectAll(int connections) throws IOException {
        List<RdmaConnection> connected = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            LOG.info("Start to establish RDMA connection [{}]", i);
            connected.add(connect(numbered(files.local(), i), numbered(files.remote(), i)));
            LOG.info("RDMA connection [{}] is establshed", i);
        }
        LOG.info("All [{}] RDMA connections have been establshed", connections);
        return connected;
    }

    private static Path numbered(Path file, int number) {
        return file.resolveSibling("%s-%04d".formatted(file.getFileName(), number));
    }

    private RdmaConnection connect(Path local, Path remote) throws IOException {
        RdmaConnection connection = rdma.prepareConnection();
        boolean isDynamic = transport == TransportType.DC;
        // With DC, only the side that submits operations needs the details of the other one.
        if (!isDynamic || !role.begins()) {
            write(connection.details(), local);
        }
        if (!isDynamic || role.begins()) {
            askFor(remote);
            connect(connection, ConnectionDetails.load(remote));
            used.add(remote);
        }
        return connection;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // without a check, it is complete
    private static void connect(RdmaConnection connection, ConnectionDetails peer) {
        connection.connect(peer);
    }

    private void write(ConnectionDetails details, Path local) throws IOException {
        checkAbsent(local);
        used.add(local);
        details.save(local);
        DescriptorFile descriptor = offered;
        if (descriptor == null) {
            LOG.info("You can now copy {} to the {}", local, role.peer());
            return;
        }
        checkAbsent(files.resource());
        used.add(files.resource());
        descriptor.write(files.resource());
        LOG.info("You can now copy {} and {} to the {}", local, files.resource(), role.peer());
    }

    private static void checkAbsent(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new SampleException("File " + file + " already exists. Please delete it prior to running the sample");
        }
    }

    private void askFor(Path remote) throws IOException {
        boolean needsResource = role == Role.REQUESTER || role == Role.IMMEDIATE_REQUESTER;
        LOG.info(
                "Please copy {} from the {} and then press enter{}",
                needsResource ? remote + " and " + files.resource() : remote,
                role.source(),
                role.begins() ? " after pressing enter in the " + role.peer() + " side" : "");
        Keyboard.awaitEnter(DOUBT);
    }

    @Override
    public Mmap importMemory() throws IOException {
        Mmap memory = Mmap.fromDescriptor(rdma.device(), MmapExport.loadDescriptor(files.resource()));
        used.add(files.resource());
        return memory;
    }

    @Override
    public RemoteSyncEvent importEvent() throws IOException {
        RemoteSyncEvent event = RemoteSyncEvent.of(
                rdma.device(), SyncEventExport.loadDescriptor(SyncEventExport.Kind.RDMA, files.resource()));
        used.add(files.resource());
        return event;
    }

    @Override
    public <T> T await(Completion<T> fromPeer) throws InterruptedException {
        return PeerWait.orStop(rdma, () -> fromPeer.await());
    }

    @Override
    public void checkPeer() {
        // Such connections do not report the end of the peer; only operations fail.
    }

    @Override
    public void await(String word, Prompt prompt) throws IOException {
        if (prompt.withFiles() != null) {
            LOG.info(prompt.withFiles());
            Keyboard.awaitEnter(DOUBT);
        }
    }

    @Override
    public void sendWord(String word) {
        // The user sees what is printed.
    }

    @Override
    public void disconnect() {
        // Such connections end with their context.
    }

    /** Deletes the files, unless the peer has done so. */
    @Override
    public void close() throws IOException {
        for (Path file : used) {
            Files.deleteIfExists(file);
        }
    }
}
