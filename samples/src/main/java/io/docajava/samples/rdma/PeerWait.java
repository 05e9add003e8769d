/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.context.ContextState;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.RdmaContext;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the peer, up to a limit.
 *
 * @param rdma the context, which is stopped if the peer does nothing in time
 * @param timeout the limit of one wait
 */
record PeerWait(RdmaContext rdma, Duration timeout) {

    private static final Duration TO_STOP = Duration.ofSeconds(10);

    <T> T await(Completion<T> fromPeer) throws InterruptedException {
        try {
            return fromPeer.await(rdma.engine(), timeout);
        } catch (TimeoutException late) {
            // Memory with operations in flight could not be closed.
            rdma.stop();
            rdma.engine().await(() -> rdma.state() == ContextState.IDLE, TO_STOP);
            throw new SampleException("The peer has not answered within " + timeout.toSeconds() + " s");
        }
    }
}
