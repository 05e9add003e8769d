/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.fuzz;

import io.docajava.comch.CommServer;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.BufPool;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncLocation;
import io.docajava.dma.DmaContext;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaOperation;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Working objects of each kind, with which calls begin. */
final class Kit {

    private static final Access ALL = Access.LOCAL_READ_WRITE
            .plus(Access.RDMA_READ)
            .plus(Access.RDMA_WRITE)
            .plus(Access.RDMA_ATOMIC);

    private static final Duration SOON = Await.LIMIT;
    private static final AtomicInteger SERVERS = new AtomicInteger();

    private Kit() {}

    /**
     * Creates the objects.
     *
     * @param reported receives the exceptions of callbacks
     */
    static void make(HostileCalls.Objects objects, Consumer<Throwable> reported) throws Exception {
        Device here = kept(objects, Device.open(DeviceFilter.ibDevice("mlx5_0")));
        Device there = kept(objects, Device.open(DeviceFilter.ibDevice("mlx5_1")));
        objects.add(here.info());
        ProgressEngine engine = kept(objects, ProgressEngine.create()).errorHandler(reported);
        Mmap near = kept(objects, Mmap.allocate(here, 65_536, ALL));
        Mmap far = kept(objects, Mmap.allocate(there, 65_536, ALL));
        MmapExport export = kept(objects, far.exportRdma(there));
        Mmap remote = kept(objects, Mmap.fromExport(here, export));
        BufInventory buffers = kept(objects, BufInventory.create(64));
        Buf source = kept(objects, buffers.data(near, 0, 1000));
        Buf target = kept(objects, buffers.space(near, 2000, 1000));
        objects.add(buffers.list().space(near, 4000, 500).space(near, 5000, 500).build());
        objects.add(buffers.space(far, 0, 1000));
        Buf outer = kept(objects, buffers.space(remote, 2000, 1000));
        Buf word = kept(objects, buffers.space(remote, 8000, 8));
        objects.add(RdmaOperation.send(source));
        objects.add(RdmaOperation.write(source, outer));
        objects.add(RdmaOperation.read(kept(objects, buffers.data(remote, 4000, 100)), target));
        objects.add(RdmaOperation.fetchAdd(word, 1));
        objects.add(BufPool.create(near, 8, 64));
        DmaContext dma = kept(objects, DmaContext.builder(here).maxTasks(8).start(engine));
        objects.add(dma.task(source, target));
        makeRdma(objects, here, there, engine);
        makeEvents(objects, here, there, engine);
        GraphBuilder plan = kept(objects, Graph.builder(engine));
        ContextNode copy = kept(objects, plan.context("copy", dma));
        UserNode<Object> after = kept(objects, plan.user("after", data -> {}));
        Graph graph = kept(objects, plan.dependency(copy, after).start());
        objects.add(graph.instance().set(copy, dma.task(source, target)).set(after, "data"));
        DeviceRepresentor representor =
                kept(objects, DeviceRepresentor.open(here, RepresentorFilter.pciAddress("0b:00.0")));
        String name = "fuzz-" + ProcessHandle.current().pid() + "-" + SERVERS.incrementAndGet();
        objects.add(CommServer.builder(here, representor, name).start(engine, (connection, message) -> {}));
        objects.add(ProgressLoop.builder().errorHandler(reported).start());
    }

    private static void makeRdma(HostileCalls.Objects objects, Device here, Device there, ProgressEngine engine)
            throws Exception {
        RdmaContext first = kept(objects, context(here, engine));
        RdmaContext second = kept(objects, context(there, engine));
        RdmaConnection connection = kept(objects, first.prepareConnection());
        RdmaConnection back = kept(objects, second.prepareConnection());
        Completion<RdmaConnection> going = connection.connect(back.details());
        Completion<RdmaConnection> coming = back.connect(connection.details());
        for (Completion<RdmaConnection> completion : List.of(going, coming)) {
            completion.await(SOON);
        }
    }

    private static RdmaContext context(Device device, ProgressEngine engine) {
        return RdmaContext.builder(device)
                .permissions(ALL)
                .maxTasks(8)
                .maxReceives(8)
                .connectionRequestTimeout(Duration.ofSeconds(1))
                .start(engine);
    }

    private static void makeEvents(HostileCalls.Objects objects, Device here, Device there, ProgressEngine engine) {
        objects.add(SyncEventOperation.set(1));
        objects.add(SyncEventOperation.waitEqual(1));
        objects.add(SyncEvent.builder(here)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .start());
        SyncEvent event = kept(
                objects,
                SyncEvent.builder(there)
                        .publisher(SyncLocation.REMOTE_NET)
                        .subscriber(SyncLocation.CPU)
                        .start());
        SyncEventExport export = kept(objects, event.exportRdma());
        RemoteSyncEvent imported = kept(objects, RemoteSyncEvent.of(here, export));
        objects.add(RdmaOperation.addToEvent(imported, 1));
        objects.add(SyncEvent.builder(here)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .tasks()
                .start(engine));
    }

    private static <T> T kept(HostileCalls.Objects objects, T object) {
        objects.add(object);
        return object;
    }
}
