/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.comch.CommServer;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.graph.UserNode;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.BufPool;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncLocation;
import io.docajava.dma.DmaContext;
import io.docajava.dma.DmaSeries;
import io.docajava.dma.DmaTask;
import io.docajava.rdma.RdmaAddress;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaOperation;
import io.docajava.rdma.RdmaTask;
import io.docajava.rdma.Received;
import io.docajava.testing.Await;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The life of objects from creation to closing. */
enum Scenario implements FailedCalls.Life {
    DEVICES {
        @Override
        public void run(Scope scope) {
            assertThat(Device.list()).isNotEmpty();
            Device device = device(scope, "mlx5_0");
            assertThat(DeviceRepresentor.list(device)).isNotEmpty();
            assertThat(scope.keep(DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0")))
                            .info())
                    .isNotNull();
        }
    },

    MEMORY {
        @Override
        public void run(Scope scope) {
            Device device = device(scope, "mlx5_0");
            Device other = device(scope, "mlx5_1");
            Mmap memory = scope.keep(Mmap.builder()
                    .device(device)
                    .device(other)
                    .access(Access.LOCAL_READ_WRITE)
                    .allocate(4096));
            Arena arena = Arena.ofAuto();
            scope.keep(Mmap.register(device, arena.allocate(4096), Access.LOCAL_READ_ONLY));
            BufInventory buffers = scope.keep(BufInventory.create(4));
            Buf head = scope.keep(buffers.data(memory, 0, 64));
            Buf tail = buffers.space(memory, 64, 64);
            head.append(tail);
            scope.keep(tail.detach());
            head.setData(8, 8);
            head.clear();
            buffers.expand(4);
            scope.keep(buffers.list().data(memory, 0, 8).space(memory, 8, 8).build());
            head.reuseAsData(128, 64);
            BufPool pool = scope.keep(BufPool.create(memory, 2, 64));
            scope.keep(pool.take());
        }
    },

    EXPORTS {
        @Override
        public void run(Scope scope) {
            Device device = device(scope, "mlx5_0");
            Device other = device(scope, "mlx5_1");
            Access access = Access.PCI_READ_WRITE.plus(Access.RDMA_READ);
            Mmap memory = scope.keep(Mmap.allocate(device, 4096, access));
            Mmap byPci = scope.keep(Mmap.fromExport(other, memory.exportPci(device)));
            Mmap byRdma = scope.keep(Mmap.fromExport(other, memory.exportRdma(device)));
            BufInventory buffers = scope.keep(BufInventory.create(2));
            scope.keep(buffers.data(byPci, 0, 64));
            scope.keep(buffers.data(byRdma, 0, 64));
        }
    },

    COPIES {
        @Override
        public void run(Scope scope) throws Exception {
            Device device = device(scope, "mlx5_0");
            ProgressEngine engine = scope.engine();
            Mmap memory = scope.keep(Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE));
            BufInventory buffers = scope.keep(BufInventory.create(16));
            Buf source = scope.keep(buffers.data(memory, 0, 64));
            Buf target = scope.keep(buffers.space(memory, 64, 64));
            Buf second = scope.keep(buffers.space(memory, 128, 64));
            DmaContext dma = scope.keep(DmaContext.builder(device).maxTasks(4).start(engine));
            assertThat(scope.get(dma.copy(source, target))).isEqualTo(64);
            target.clear();
            DmaTask task = scope.keep(dma.task(source, target));
            task.submit();
            scope.await(engine, task::isDone);
            task.failure().ifPresent(scope::note);
            target.clear();
            Completion<Long> one = dma.copy(source, target);
            Completion<Long> other = dma.copy(source, second);
            dma.flush();
            scope.getAll(one, other);
            dma.stop();
            dma.restart();
            MapRange range = memory.range(0, 64);
            DmaSeries series =
                    scope.keep(dma.series(List.of(range, range), List.of(memory.range(64, 64), memory.range(128, 64))));
            series.submit();
            scope.await(engine, series::isDone);
            series.failure().ifPresent(scope::note);
        }
    },

    GRAPHS {
        @Override
        public void run(Scope scope) throws Exception {
            Device device = device(scope, "mlx5_0");
            ProgressEngine engine = scope.engine();
            Mmap memory = scope.keep(Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE));
            DmaContext dma = scope.keep(DmaContext.builder(device).maxTasks(4).start(engine));
            DmaTask task = scope.keep(dma.task(memory.range(0, 64), memory.range(64, 64)));
            List<String> seen = new ArrayList<>();
            GraphBuilder plan = Graph.builder(engine);
            ContextNode copy = plan.context("copy", dma);
            UserNode<String> after = plan.user("after", seen::add);
            Graph graph = scope.keep(plan.dependency(copy, after).start());
            GraphInstance instance = scope.keep(graph.instance().set(copy, task).set(after, "copied"));
            scope.get(instance.submit());
            assertThat(seen).containsExactly("copied");
        }
    },

    LOOPS {
        @Override
        public void run(Scope scope) throws Exception {
            Device device = device(scope, "mlx5_0");
            Mmap memory = scope.keep(Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE));
            // Closes the objects that the loop could not close, after its thread has ended.
            Scope left = new Scope();
            scope.keep(left::close);
            ProgressLoop loop =
                    scope.keep(ProgressLoop.builder().errorHandler(scope::note).start());
            Await.result(loop.call(left::keep), "the engine of the loop");
            DmaContext dma = left.keep(DmaContext.builder(device).start(loop));
            Long copied = Await.result(dma.copy(memory.range(0, 64), memory.range(64, 64)), "the copy");
            assertThat(copied).isEqualTo(64);
        }
    },

    EVENTS {
        @Override
        public void run(Scope scope) throws Exception {
            Device device = device(scope, "mlx5_0");
            SyncEvent event = scope.keep(SyncEvent.builder(device)
                    .publisher(SyncLocation.CPU)
                    .subscriber(SyncLocation.CPU)
                    .start());
            event.set(5);
            event.add(2);
            assertThat(event.newWait().timeout(Scope.SOON).untilEqual(7)).isEqualTo(7);
            ProgressEngine engine = scope.engine();
            SyncEventContext context = scope.keep(SyncEvent.builder(device)
                    .publisher(SyncLocation.CPU)
                    .subscriber(SyncLocation.CPU)
                    .tasks()
                    .start(engine));
            scope.get(context.submit(SyncEventOperation.set(3)));
            scope.get(context.submit(SyncEventOperation.add(1)));
            assertThat(scope.get(context.submit(SyncEventOperation.waitEqual(4))))
                    .isEqualTo(4);
            SyncEventTask task = scope.keep(context.task(SyncEventOperation.get()));
            task.submit();
            scope.await(engine, task::isDone);
            task.failure().ifPresent(scope::note);
        }
    },

    REMOTE_EVENTS {
        @Override
        public void run(Scope scope) throws Exception {
            Device device = device(scope, "mlx5_0");
            SyncEvent event = scope.keep(SyncEvent.builder(device)
                    .publisher(SyncLocation.REMOTE_NET)
                    .subscriber(SyncLocation.CPU)
                    .start());
            scope.keep(RemoteSyncEvent.of(device, event.exportRdma()));
        }
    },

    RDMA {
        @Override
        public void run(Scope scope) throws Exception {
            ProgressEngine engine = scope.engine();
            Device here = device(scope, "mlx5_0");
            Device there = device(scope, "mlx5_1");
            Mmap near = scope.keep(Mmap.allocate(here, 4096, ALL));
            Mmap far = scope.keep(Mmap.allocate(there, 4096, ALL));
            Mmap remote = scope.keep(Mmap.fromExport(here, far.exportRdma(there)));
            SyncEvent event = scope.keep(SyncEvent.builder(there)
                    .publisher(SyncLocation.REMOTE_NET)
                    .subscriber(SyncLocation.CPU)
                    .start());
            RemoteSyncEvent remoteEvent = scope.keep(RemoteSyncEvent.of(here, event.exportRdma()));
            BufInventory buffers = scope.keep(BufInventory.create(16));
            Buf source = scope.keep(buffers.data(near, 0, 64));
            Buf space = scope.keep(buffers.space(near, 64, 64));
            Buf inbox = scope.keep(buffers.space(far, 0, 64));
            Buf outer = scope.keep(buffers.space(remote, 256, 64));
            Buf word = scope.keep(buffers.space(remote, 512, 8));
            RdmaContext first = scope.keep(rdma(here).start(engine));
            RdmaContext second = scope.keep(rdma(there).start(engine));
            RdmaConnection connection = first.prepareConnection();
            RdmaConnection back = second.prepareConnection();
            Completion<RdmaConnection> going = scope.watch(connection.connect(back.details()));
            scope.getAll(back.connect(connection.details()), going);
            Completion<Received> data = scope.watch(second.receive(inbox));
            scope.get(connection.send(source));
            scope.get(data);
            Completion<Received> immediate = scope.watch(second.receive());
            scope.get(connection.submit(RdmaOperation.sendImmediate(7)));
            scope.get(immediate);
            scope.get(connection.write(source, outer));
            scope.get(connection.read(outer, space));
            scope.get(connection.submit(RdmaOperation.fetchAdd(word, 3)));
            scope.get(connection.submit(RdmaOperation.compareAndSwap(word, 3, 4)));
            scope.get(connection.submit(RdmaOperation.setEvent(remoteEvent, 5)));
            scope.get(connection.submit(RdmaOperation.getEvent(remoteEvent)));
            space.clear();
            RdmaTask task = scope.keep(connection.task(RdmaOperation.read(outer, space)));
            task.submit();
            scope.await(engine, task::isDone);
            task.failure().ifPresent(scope::note);
            outer.clear();
            Completion<Long> together = connection.write(source, outer);
            first.flush();
            scope.get(together);
            connection.disconnect();
        }
    },

    CONNECTIONS_BY_ADDRESS {
        @Override
        public void run(Scope scope) throws Exception {
            ProgressEngine engine = scope.engine();
            Device here = device(scope, "mlx5_0");
            Device there = device(scope, "mlx5_1");
            Mmap near = scope.keep(Mmap.allocate(here, 4096, ALL));
            Mmap far = scope.keep(Mmap.allocate(there, 4096, ALL));
            BufInventory buffers = scope.keep(BufInventory.create(4));
            Buf inbox = scope.keep(buffers.space(far, 0, 64));
            Buf message = scope.keep(buffers.data(near, 0, 64));
            RdmaContext first = scope.keep(rdma(here).start(engine));
            RdmaContext second = scope.keep(rdma(there).start(engine));
            List<Completion<RdmaConnection>> accepted = new ArrayList<>();
            scope.keep(second.listen(PORT, request -> accepted.add(scope.watch(request.accept()))));
            RdmaAddress address = RdmaAddress.of(there.info().ipv6().orElseThrow());
            RdmaConnection connection = scope.get(first.connect(address, PORT));
            assertThat(scope.get(accepted.getFirst()).context()).isSameAs(second);
            Completion<Received> received = scope.watch(second.receive(inbox));
            scope.get(connection.send(message));
            scope.get(received);
            connection.disconnect();
            scope.get(connection.whenDisconnected());
        }
    },

    COMM_SERVERS {
        @Override
        public void run(Scope scope) throws Exception {
            Device device = device(scope, "mlx5_0");
            DeviceRepresentor representor =
                    scope.keep(DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0")));
            ProgressEngine engine = scope.engine();
            CommServer server = scope.keep(CommServer.builder(
                            device,
                            representor,
                            "failures-" + ProcessHandle.current().pid())
                    .start(engine, (connection, message) -> {}));
            server.stop();
            server.restart();
        }
    };

    private static final Access ALL = Access.LOCAL_READ_WRITE
            .plus(Access.RDMA_READ)
            .plus(Access.RDMA_WRITE)
            .plus(Access.RDMA_ATOMIC);
    /** Tests of several JVMs may run on one machine at the same time. */
    private static final int PORT = 20_000 + (int) (ProcessHandle.current().pid() % 40_000);

    private static Device device(Scope scope, String name) {
        return scope.keep(Device.open(DeviceFilter.ibDevice(name)));
    }

    private static RdmaContextBuilder rdma(Device device) {
        return RdmaContext.builder(device)
                .permissions(ALL)
                .maxTasks(4)
                .maxReceives(4)
                .connectionRequestTimeout(Duration.ofSeconds(1));
    }
}
