/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs.ways;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.DmaContext;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.Received;
import io.docajava.testing.Await;
import java.util.ArrayList;
import java.util.List;

/** The operations whose ways are traced, each after some that are not. A {@link TracingLoader} loads this class. */
public final class TracedOperations {

    private static final int UNTRACED = 5;

    private TracedOperations() {}

    /** Returns the ways. */
    public static List<Trace.Way> all() throws Exception {
        try (Device device = Device.open(DeviceFilter.any());
                Mmap memory = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE)) {
            MapRange source = memory.range(0, 64);
            MapRange target = memory.range(64, 64);
            return List.of(
                    copy(device, source, target),
                    queued(device, source, target),
                    receive(device, source, target),
                    close(device, source, memory));
        }
    }

    private static Trace.Way copy(Device device, MapRange source, MapRange target) throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                DmaContext dma = DmaContext.builder(device).start(engine)) {
            for (int i = 0; i < UNTRACED; i++) {
                dma.copy(source, target).await();
            }
            return Trace.of("a copy with a future, submitted and completed", () -> {
                Completion<Long> copied = dma.copy(source, target);
                while (!copied.isDone()) {
                    engine.progress();
                }
            });
        }
    }

    private static Trace.Way queued(Device device, MapRange source, MapRange target) {
        try (ProgressLoop loop = ProgressLoop.builder()
                        .idleStrategy(IdleStrategy.busySpin())
                        .start();
                DmaContext dma = DmaContext.builder(device).start(loop)) {
            for (int i = 0; i < UNTRACED; i++) {
                dma.copy(source, target).join();
            }
            return Trace.ofThreads(
                    "a copy that a thread submits to a loop, until it has the result",
                    loop.thread(),
                    () -> dma.copy(source, target).join());
        }
    }

    private static Trace.Way receive(Device device, MapRange source, MapRange target) throws Exception {
        try (ProgressEngine engine = ProgressEngine.create();
                RdmaContext sender = RdmaContext.builder(device).start(engine);
                RdmaContext receiver = RdmaContext.builder(device).start(engine)) {
            RdmaConnection from = sender.prepareConnection();
            RdmaConnection to = receiver.prepareConnection();
            Completion<RdmaConnection> connected = from.connect(to.details());
            engine.awaitAll(List.of(connected, to.connect(from.details())), Await.LIMIT);
            for (int i = 0; i < UNTRACED; i++) {
                Completion<Received> received = receiver.receive(target);
                from.send(source).await();
                received.await();
            }
            List<Completion<Received>> posted = new ArrayList<>();
            Trace.Way way = Trace.of("a receive, until it is posted", () -> posted.add(receiver.receive(target)));
            from.send(source).await();
            return way;
        }
    }

    private static Trace.Way close(Device device, MapRange source, Mmap memory) {
        try (ProgressEngine engine = ProgressEngine.create()) {
            busy(device, engine, source, memory).close();
            return Trace.of(
                    "the close of a context with four copies in flight", busy(device, engine, source, memory)::close);
        }
    }

    private static DmaContext busy(Device device, ProgressEngine engine, MapRange source, Mmap memory) {
        DmaContext dma = DmaContext.builder(device).start(engine);
        for (int i = 1; i <= 4; i++) {
            dma.copy(source, memory.range(i * 64L, 64), (end, failure) -> {});
        }
        dma.flush();
        return dma;
    }
}
