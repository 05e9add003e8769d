/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.testing.Await;
import io.docajava.testing.Work;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Two connected peers, each on its own loop. Another thread creates and closes them. */
final class RdmaLoopLab implements AutoCloseable {

    final ProgressLoop hereLoop;
    final ProgressLoop thereLoop;
    final Side here;
    final Side there;
    final Mmap remote;
    final RdmaConnection connection;
    final RdmaConnection back;

    /** Creates contexts with fewer tasks than the tests request. */
    RdmaLoopLab(IdleStrategy strategy) throws Exception {
        hereLoop = ProgressLoop.builder().name("here").idleStrategy(strategy).start();
        thereLoop = ProgressLoop.builder().name("there").idleStrategy(strategy).start();
        here = get(hereLoop.call(
                engine -> new Side("mlx5_0", engine, builder -> Side.retryForever(builder.maxTasks(4)), Side.ALL)));
        there = get(thereLoop.call(engine -> new Side("mlx5_1", engine, builder -> builder.maxReceives(4), Side.ALL)));
        remote = Mmap.fromExport(here.device, there.memory.exportRdma(there.device));
        connection = get(hereLoop.call(engine -> here.rdma.prepareConnection()));
        back = get(thereLoop.call(engine -> there.rdma.prepareConnection()));
        CompletableFuture<RdmaConnection> going = Work.on(hereLoop, () -> connection.connect(back.details()));
        get(Work.on(thereLoop, () -> back.connect(connection.details())));
        get(going);
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return Await.result(future, "the loop");
    }

    @Override
    public void close() {
        close(thereLoop, there);
        close(hereLoop, here);
        hereLoop.close();
        thereLoop.close();
        remote.close();
        here.memory.close();
        there.memory.close();
        here.device.close();
        there.device.close();
    }

    private static void close(ProgressLoop loop, Side side) {
        loop.call(engine -> {
                    side.rdma.close();
                    side.buffers.close();
                    return true;
                })
                .orTimeout(Await.LIMIT_S, TimeUnit.SECONDS)
                .join();
    }
}
