/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.rdma;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.benchmarks.copy.Lab;
import io.docajava.benchmarks.copy.Pattern;
import io.docajava.benchmarks.pair.RdmaPeer;
import io.docajava.core.device.Device;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTaskType;
import java.io.IOException;

/** A connection to a peer in another process, and a pair of ranges for each operation in flight. */
final class RdmaLab implements Lab {

    /** The peer's receives for each send in flight, so that senders do not wait for the peer to post one again. */
    private static final int RECEIVES = 4;

    final RdmaContext rdma;
    final RdmaConnection connection;
    /** One operation for each pair of ranges. */
    final RdmaOperation[] operations;

    private final RdmaTaskType type;
    private final int size;
    private final Device device;
    private final RdmaPeer peer;
    private final Mmap memory;
    private final Mmap remoteMemory;
    private final Mmap scratch;

    RdmaLab(ProgressEngine engine, RdmaTaskType type, int size, int depth) {
        this.type = type;
        this.size = size;
        device = BenchDevice.open();
        peer = startPeer(size, RECEIVES * depth);
        rdma = RdmaContext.builder(device)
                .maxTasks(depth)
                .rnrRetryCount(7)
                .gidIndex(gidIndex())
                .start(engine);
        connection = connect();
        memory = Mmap.allocate(device, (long) size * depth, Access.LOCAL_READ_WRITE);
        remoteMemory = Mmap.fromExport(device, peer.memory());
        scratch = Mmap.allocate(device, size, Access.LOCAL_READ_WRITE);
        operations = new RdmaOperation[depth];
        for (int i = 0; i < depth; i++) {
            MapRange local = memory.range((long) i * size, size);
            MapRange remote = remoteMemory.range((long) i * size, size);
            operations[i] = switch (type) {
                case WRITE -> RdmaOperation.write(local, remote);
                case READ -> RdmaOperation.read(remote, local);
                default -> RdmaOperation.send(local);
            };
        }
        fillSources();
    }

    private static int gidIndex() {
        String index = System.getenv("DOCA_BENCH_GID_INDEX");
        return index == null ? 0 : Integer.parseInt(index);
    }

    private static RdmaPeer startPeer(int size, int stretches) {
        try {
            return RdmaPeer.start(size, stretches);
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private RdmaConnection connect() {
        try {
            RdmaConnection prepared = rdma.prepareConnection();
            peer.connect(prepared.details());
            return prepared.connect(peer.details()).await();
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while connecting", e);
        }
    }

    /** Returns the pattern. It is the same for all sends, because the peer receives into whichever range is next. */
    private int pattern(int index) {
        return type == RdmaTaskType.SEND ? 0 : index;
    }

    private void fillSources() {
        for (int i = 0; i < operations.length; i++) {
            if (type == RdmaTaskType.READ) {
                Pattern.fill(scratch.segment(), i);
                writeScratch(i);
            } else {
                Pattern.fill(memory.segment().asSlice((long) i * size, size), pattern(i));
            }
        }
    }

    @Override
    public void clear() {
        scratch.segment().fill((byte) 0);
        for (int i = 0; i < operations.length; i++) {
            if (type == RdmaTaskType.READ) {
                memory.segment().asSlice((long) i * size, size).fill((byte) 0);
            } else {
                writeScratch(i);
            }
        }
    }

    @Override
    public void check() {
        for (int i = 0; i < operations.length; i++) {
            if (type == RdmaTaskType.READ) {
                Pattern.check(memory.segment().asSlice((long) i * size, size), i);
            } else {
                readScratch(i);
                Pattern.check(scratch.segment(), pattern(i));
            }
        }
    }

    private void writeScratch(int index) {
        try {
            connection
                    .write(scratch.all(), remoteMemory.range((long) index * size, size))
                    .await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while writing", e);
        }
    }

    private void readScratch(int index) {
        try {
            connection
                    .read(remoteMemory.range((long) index * size, size), scratch.all())
                    .await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while reading", e);
        }
    }

    @Override
    public void close() {
        rdma.close();
        scratch.close();
        remoteMemory.close();
        memory.close();
        device.close();
        peer.close();
    }
}
