/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two connected peers in one process and on one engine. One of them has imported the memory of the other. */
final class RdmaLab implements AutoCloseable {

    static final Duration SOON = Await.LIMIT;
    static final String HERE = "RDMA context on 0000:03:00.0 (mlx5_0)";
    static final String THERE = "RDMA context on 0000:03:00.1 (mlx5_1)";

    final ProgressEngine engine = ProgressEngine.create();
    /** The exceptions of callbacks. */
    final List<Throwable> reported = new ArrayList<>();

    final Side here;
    final Side there;
    final Mmap remote;
    RdmaConnection connection;
    RdmaConnection back;

    RdmaLab() {
        this(builder -> builder);
    }

    RdmaLab(UnaryOperator<RdmaContextBuilder> configuration) {
        this(configuration, configuration, Side.ALL);
    }

    /** Creates peers with other contexts here and there, and with other access to the memory there. */
    RdmaLab(UnaryOperator<RdmaContextBuilder> ofHere, UnaryOperator<RdmaContextBuilder> ofThere, Access access) {
        engine.errorHandler(reported::add);
        here = new Side("mlx5_0", engine, ofHere, Side.ALL);
        there = new Side("mlx5_1", engine, ofThere, access);
        remote = Mmap.fromExport(here.device, there.memory.exportRdma(there.device));
        connection = here.rdma.prepareConnection();
        back = there.rdma.prepareConnection();
        connect();
    }

    /** Replaces ended connections by new ones. */
    void reconnect() {
        connection = here.rdma.prepareConnection();
        back = there.rdma.prepareConnection();
        connect();
    }

    private void connect() {
        try {
            Completion<RdmaConnection> going = connection.connect(back.details());
            Completion<RdmaConnection> coming = back.connect(connection.details());
            assertThat(going.await(SOON)).isSameAs(connection);
            assertThat(coming.await(SOON)).isSameAs(back);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    Buf remoteData(long offset, long length) {
        there.data(offset, length);
        return here.buffers.data(remote, offset, length);
    }

    Buf remoteSpace(long offset, long length) {
        return here.buffers.space(remote, offset, length);
    }

    /** Waits for a result that is available soon. */
    <T> T get(Completion<T> completion) throws Exception {
        return completion.await(SOON);
    }

    /** Progresses until a condition holds. */
    void await(BooleanSupplier condition) throws Exception {
        assertThat(engine.await(condition, SOON))
                .as("whether the condition at the calling line has held within " + SOON + "; " + here.rdma + " is "
                        + here.rdma.state() + ", " + there.rdma + " is " + there.rdma.state())
                .isTrue();
    }

    /** Waits for events before each progress, until a condition holds. */
    void awaitByEvents(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).isLessThan(SOON.toNanos());
            engine.awaitEvent(Duration.ofMillis(100));
            engine.progress();
        }
    }

    /** Checks that the memory there has the same bytes as the memory here. */
    void assertSame(long hereOffset, long thereOffset, long length) {
        assertThat(here.memory
                        .segment()
                        .asSlice(hereOffset, length)
                        .mismatch(there.memory.segment().asSlice(thereOffset, length)))
                .isEqualTo(-1);
    }

    @Override
    public void close() {
        here.rdma.close();
        here.buffers.close();
        remote.close();
        here.close();
        there.close();
        engine.close();
    }
}
