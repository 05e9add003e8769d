/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.CompletionModes;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the forms of operations that promise it allocate no memory. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RdmaAllocationTest extends CompletionModes {

    private static final int OPERATIONS = 5_000;
    /** The tolerance is far below one byte for each operation, and covers occasional allocations of the JVM on any thread. */
    private static final long TOLERANCE = OPERATIONS / 2;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private RdmaLab lab;
    private Buf source;
    private Buf target;
    private Buf remote;
    private Buf remoteData;
    private Buf word;
    private Buf received;
    private final Counter counter = new Counter();

    @BeforeEach
    void open() {
        lab = new RdmaLab();
        source = lab.here.data(0, 64);
        target = lab.here.space(1000, 64);
        remote = lab.remoteSpace(0, 64);
        remoteData = lab.remoteData(1000, 64);
        word = lab.remoteSpace(8000, 8);
        received = lab.there.space(2000, 64);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void tasksInThePeersMemory() {
        RdmaOperation[] additions = {RdmaOperation.fetchAdd(word, 1), RdmaOperation.fetchAdd(word, 2)};
        RdmaOperation[] swaps = {RdmaOperation.compareAndSwap(word, 1, 2), RdmaOperation.compareAndSwap(word, 3, 4)};
        try (RdmaTask write = lab.connection.task(RdmaOperation.write(source, remote));
                RdmaTask read = lab.connection.task(RdmaOperation.read(remoteData, target));
                RdmaTask add = lab.connection.task(additions[0]);
                RdmaTask swap = lab.connection.task(swaps[0])) {
            assertAllocatesNothing(() -> {
                for (int i = 0; i < OPERATIONS / 4; i++) {
                    run(write);
                    target.clear();
                    run(read);
                    run(add.operation(additions[i % 2]));
                    run(swap.operation(swaps[i % 2]));
                }
            });
        }
    }

    /** The tasks that get other operations use buffers: a task that gets other ranges allocates. */
    @Test
    void messagesOfTasks() {
        RdmaOperation[] sends = {RdmaOperation.sendImmediate(source, 1), RdmaOperation.sendImmediate(source, 2)};
        RdmaOperation[] writes = {
            RdmaOperation.writeImmediate(source, remote, 1), RdmaOperation.writeImmediate(source, remote, 2)
        };
        try (RdmaTask send = lab.connection.task(RdmaOperation.send(lab.here.memory.range(0, 64)));
                RdmaTask sendImmediate = lab.connection.task(sends[0]);
                RdmaTask writeImmediate = lab.connection.task(writes[0]);
                ReceiveTask receive = lab.there.rdma.receiveTask(lab.there.memory.range(2000, 64))) {
            assertAllocatesNothing(() -> {
                for (int i = 0; i < OPERATIONS / 3; i++) {
                    receive.submit();
                    run(send);
                    await(receive);
                    receive.submit();
                    run(sendImmediate.operation(sends[i % 2]));
                    await(receive);
                    receive.submit();
                    run(writeImmediate.operation(writes[i % 2]));
                    await(receive);
                }
            });
        }
    }

    @Test
    void handlers() {
        RdmaOperation[] operations = {
            RdmaOperation.send(source),
            RdmaOperation.sendImmediate(1),
            RdmaOperation.writeImmediate(source, remote, 2),
            RdmaOperation.write(source, lab.remoteSpace(64, 64)),
            RdmaOperation.read(remoteData, target),
            RdmaOperation.fetchAdd(word, 3),
            RdmaOperation.compareAndSwap(word, 4, 5)
        };
        assertAllocatesNothing(() -> {
            for (int i = 0; i < OPERATIONS / 8; i++) {
                counter.left = 10;
                received.clear();
                lab.there.rdma.receive(received, counter.receives);
                lab.there.rdma.receive(counter.receives);
                lab.there.rdma.receive(counter.receives);
                target.clear();
                for (RdmaOperation operation : operations) {
                    lab.connection.submit(operation, counter.operations);
                }
                awaitCounter();
            }
        });
    }

    @Test
    void operationsThatLeaveTogether() {
        MapRange bytes = lab.here.memory.range(0, 64);
        RdmaOperation[] writes = IntStream.range(0, 8)
                .mapToObj(i -> RdmaOperation.write(bytes, lab.remote.range(i * 64L, 64)))
                .toArray(RdmaOperation[]::new);
        assertAllocatesNothing(() -> {
            for (int i = 0; i < OPERATIONS / 8; i++) {
                counter.left = 8;
                for (RdmaOperation write : writes) {
                    lab.connection.submit(write, counter.operations);
                }
                awaitCounter();
            }
        });
    }

    @Test
    void ranges() {
        Mmap there = lab.there.memory;
        RdmaOperation[] operations = {
            RdmaOperation.sendImmediate(lab.here.memory.range(0, 8), 1),
            RdmaOperation.writeImmediate(lab.here.memory.range(0, 8), lab.remote.range(0, 8), 2),
            RdmaOperation.fetchAdd(lab.remote.range(800, 8), 3),
            RdmaOperation.compareAndSwap(lab.remote.range(800, 8), 4, 5)
        };
        MapRange here = lab.here.memory.range(64, 16);
        MapRange remoteRange = lab.remote.range(64, 16);
        assertAllocatesNothing(() -> {
            for (int i = 0; i < OPERATIONS / 8; i++) {
                counter.left = 10;
                lab.there.rdma.receive(there, 4096, 64, i, counter.receives);
                lab.there.rdma.receive(there, 0, 0, i, counter.receives);
                lab.there.rdma.receive(there, 8192, 64, i, counter.receives);
                for (RdmaOperation operation : operations) {
                    lab.connection.submit(operation, counter.operations);
                }
                lab.connection.send(here, counter.operations);
                lab.connection.write(here, remoteRange, counter.operations);
                lab.connection.read(remoteRange, here, counter.operations);
                awaitCounter();
            }
        });
    }

    private void awaitCounter() {
        while (counter.left > 0) {
            lab.engine.progress();
        }
        if (counter.failure != null) {
            throw counter.failure;
        }
    }

    private void run(RdmaTask task) {
        task.submit();
        while (!task.isDone()) {
            lab.engine.progress();
        }
    }

    private void await(ReceiveTask task) {
        while (!task.isDone()) {
            lab.engine.progress();
        }
    }

    /** Takes the minimum of several measurements, as interpreted code may allocate and only compiled code matters. */
    private static void assertAllocatesNothing(Runnable operations) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20 && least > TOLERANCE; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            operations.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated for %d operations", OPERATIONS).isLessThanOrEqualTo(TOLERANCE);
    }

    private static final class Counter {

        private int left;
        private @Nullable TaskFailedException failure;
        private final Handler<OperationEnd> operations = (end, reason) -> ended(reason);
        private final Handler<ReceiveEnd> receives = (end, reason) -> ended(reason);

        private void ended(@Nullable TaskFailedException reason) {
            if (reason == null) {
                left--;
            } else {
                failure = reason;
                left = 0;
            }
        }
    }
}
