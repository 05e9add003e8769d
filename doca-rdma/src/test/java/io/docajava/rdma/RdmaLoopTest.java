/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static io.docajava.rdma.RdmaLoopLab.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests peers on the threads of loops, used by other threads. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RdmaLoopTest {

    private static final int BLOCK = 64;
    private static final int BLOCKS = 200;

    static List<IdleStrategy> strategies() {
        return List.of(IdleStrategy.yielding(), IdleStrategy.eventDriven(0));
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void virtualThreadsSendReadAndWrite(IdleStrategy strategy) throws Exception {
        try (RdmaLoopLab lab = new RdmaLoopLab(strategy)) {
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Long>> results = new ArrayList<>();
                for (int i = 0; i < BLOCKS / 4; i++) {
                    long block = (long) i * BLOCK;
                    results.add(virtual.submit(() -> {
                        Completion<Received> receive =
                                lab.there.rdma.receive(lab.there.memory.range(500_000 + block, BLOCK));
                        MapRange local = lab.here.memory.range(block, BLOCK);
                        MapRange remote = lab.remote.range(block, BLOCK);
                        local.segment().fill((byte) (block / BLOCK + 1));
                        long sum = lab.connection.send(local).join();
                        sum += lab.connection.write(local, remote).join();
                        sum += lab.connection
                                .read(remote, lab.here.memory.range(500_000 + block, BLOCK))
                                .join();
                        return sum + receive.join().length();
                    }));
                }
                for (Future<Long> result : results) {
                    assertThat(Await.result(result, "the operations of a thread"))
                            .isEqualTo(4 * BLOCK);
                }
            }
            long bytes = BLOCKS / 4 * BLOCK;
            assertThat(lab.there
                            .memory
                            .segment()
                            .asSlice(0, bytes)
                            .mismatch(lab.here.memory.segment().asSlice(0, bytes)))
                    .isEqualTo(-1);
            assertThat(lab.here
                            .memory
                            .segment()
                            .asSlice(500_000, bytes)
                            .mismatch(lab.here.memory.segment().asSlice(0, bytes)))
                    .isEqualTo(-1);
        }
    }

    /** An operation that waits for a task of its type also holds back those requested after it, on buffers or on ranges. */
    @Test
    void theOrderIsKeptWhenTasksRunOut() throws Exception {
        try (RdmaLoopLab lab = new RdmaLoopLab(IdleStrategy.yielding())) {
            List<CompletableFuture<Received>> receives = new ArrayList<>();
            for (int i = 0; i < BLOCKS; i++) {
                receives.add(Work.on(lab.thereLoop, () -> lab.there.rdma.receive()));
            }
            MapRange range = lab.here.filled(0, BLOCK);
            Buf buffer = get(lab.hereLoop.call(engine -> lab.here.data(0, BLOCK)));
            List<Buf> targets = get(lab.hereLoop.call(engine -> IntStream.range(0, BLOCKS)
                    .mapToObj(i -> lab.here.buffers.space(lab.remote, (long) i * BLOCK, BLOCK))
                    .toList()));
            List<CompletableFuture<Long>> sends = new ArrayList<>();
            List<CompletableFuture<Long>> writes = new ArrayList<>();
            for (int i = 0; i < BLOCKS; i++) {
                int number = i;
                if (i % 3 == 0) {
                    Buf target = targets.get(i);
                    sends.add(Work.on(
                            lab.hereLoop,
                            () -> lab.connection.submit(RdmaOperation.writeImmediate(buffer, target, number))));
                } else {
                    MapRange target = lab.remote.range((long) i * BLOCK, BLOCK);
                    writes.add(Work.on(lab.hereLoop, () -> lab.connection.write(range, target)));
                    sends.add(Work.on(lab.hereLoop, () -> lab.connection.submit(RdmaOperation.sendImmediate(number))));
                }
            }
            for (int i = 0; i < BLOCKS; i++) {
                assertThat(get(receives.get(i)).immediate()).hasValue(i);
            }
            for (CompletableFuture<Long> one : sends) {
                assertThat(get(one)).isIn(0L, (long) BLOCK);
            }
            for (CompletableFuture<Long> one : writes) {
                assertThat(get(one)).isEqualTo(BLOCK);
            }
        }
    }

    @Test
    void deferredOperationsFailWhenTheContextStops() throws Exception {
        try (RdmaLoopLab lab = new RdmaLoopLab(IdleStrategy.eventDriven())) {
            List<CompletableFuture<Received>> receives = receiveUntil(lab, lab.there.rdma::stop);
            for (CompletableFuture<Received> one : receives) {
                assertThatThrownBy(() -> get(one)).isInstanceOf(ExecutionException.class);
            }
            assertThatThrownBy(() -> get(receives.getLast()))
                    .hasRootCauseInstanceOf(ContextNotRunningException.class)
                    .hasRootCauseMessage(RdmaLab.THERE + " is stopping: it was stopped; restart() starts it again");
        }
    }

    /** Queues more receives than there are tasks, and ends them on the thread of the loop. */
    private static List<CompletableFuture<Received>> receiveUntil(RdmaLoopLab lab, Runnable end) throws Exception {
        List<CompletableFuture<Received>> receives = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            receives.add(Work.on(lab.thereLoop, () -> lab.there.rdma.receive(lab.there.memory.range(0, 8))));
        }
        get(lab.thereLoop.call(engine -> {
            end.run();
            return true;
        }));
        return receives;
    }

    /** A context that is being closed cannot be restarted, so the message does not advise it. */
    @Test
    void deferredOperationsFailWhenTheContextIsClosed() throws Exception {
        try (RdmaLoopLab lab = new RdmaLoopLab(IdleStrategy.eventDriven())) {
            List<CompletableFuture<Received>> receives = receiveUntil(lab, lab.there.rdma::close);
            assertThatThrownBy(() -> get(receives.getLast()))
                    .hasRootCauseInstanceOf(ContextNotRunningException.class)
                    .hasRootCauseMessage(RdmaLab.THERE + " is stopping: it was stopped");
        }
    }

    @Test
    void anOperationWithoutTasksOfItsTypeIsRefused() throws Exception {
        try (RdmaLoopLab lab = new RdmaLoopLab(IdleStrategy.yielding())) {
            MapRange source = lab.here.filled(0, 8);
            List<RdmaTask> kept = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                kept.add(get(lab.hereLoop.call(engine -> lab.connection.task(RdmaOperation.send(source)))));
            }
            // The only remaining task waits for a receive, and is kept when it is free.
            get(lab.hereLoop.call(engine -> {
                lab.connection.submit(RdmaOperation.send(source), (end, failure) -> {
                    if (failure != null) {
                        throw failure;
                    }
                    kept.add(end.connection().task(RdmaOperation.send(source)));
                });
                return true;
            }));
            CompletableFuture<Long> second = Work.on(lab.hereLoop, () -> lab.connection.send(source));
            CompletableFuture<Received> behind =
                    Work.on(lab.hereLoop, () -> lab.here.rdma.receive(lab.here.memory.range(64, 8)));
            CompletableFuture<Received> receive =
                    Work.on(lab.thereLoop, () -> lab.there.rdma.receive(lab.there.memory.range(0, 8)));
            assertThat(get(receive).length()).isEqualTo(8);
            assertThatThrownBy(() -> get(second))
                    .hasRootCauseInstanceOf(ResourceExhaustedException.class)
                    .hasRootCauseMessage(RdmaLab.HERE
                            + " has no free task to send: all 4 are held by open prepared tasks and series; close one,"
                            + " or raise maxTasks(RdmaTaskType.SEND, n)");
            // It waited behind the send, but its own type has tasks.
            get(Work.on(lab.thereLoop, () -> lab.back.send(lab.there.filled(64, 8))));
            assertThat(get(behind).length()).isEqualTo(8);
            get(lab.hereLoop.call(engine -> {
                kept.forEach(RdmaTask::close);
                return true;
            }));
        }
    }
}
