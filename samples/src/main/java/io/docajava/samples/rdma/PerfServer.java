/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.ReceiveTask;
import io.docajava.rdma.exchange.DescriptorExchange;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Provides the memory, and receives the messages. */
final class PerfServer {

    private static final Logger LOG = LoggerFactory.getLogger(PerfServer.class);

    private final RdmaContext rdma;
    private final Mmap memory;
    private final DescriptorExchange peer;

    /** The client's last message, or the reason why the client has sent none. */
    private final AtomicReference<@Nullable String> end = new AtomicReference<>();

    PerfServer(RdmaContext rdma, Mmap memory, DescriptorExchange peer) {
        this.rdma = rdma;
        this.memory = memory;
        this.peer = peer;
    }

    /** Serves until the client has finished. */
    void serve(PerfPlan plan) throws IOException, InterruptedException {
        ProgressEngine engine = rdma.engine();
        for (int i = 0; i < plan.receives(); i++) {
            rdma.receiveTask(memory.all()).onCompletion(this::again).submit();
        }
        peer.send("ready", new byte[0]);
        LOG.info("Serving");
        Thread.ofVirtual().start(() -> {
            end.set(awaitEnd());
            engine.wakeUp();
        });
        engine.await(() -> end.get() != null);
        // Completes the receives of messages that have arrived.
        engine.progressAll();
        rdma.stop();
        String failure = end.get();
        if (failure != null && !failure.isEmpty()) {
            throw new SampleException("The client has not finished: " + failure);
        }
    }

    /** Waits without a limit, by repeated waits for the timeout of the exchange. */
    private String awaitEnd() {
        while (true) {
            try {
                peer.receive("done");
                return "";
            } catch (SocketTimeoutException e) {
                LOG.debug("The client is still measuring");
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    private void again(ReceiveTask task) {
        if (task.failure().isEmpty()) {
            task.submit();
        } else {
            end.compareAndSet(null, task.failure().get().getMessage());
        }
    }
}
