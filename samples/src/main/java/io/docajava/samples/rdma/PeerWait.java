/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.progress.Completion;
import io.docajava.rdma.RdmaContext;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the peer, up to a limit. Stops the context if a wait fails, as memory with operations in flight cannot be closed.
 *
 * @param rdma the context
 * @param timeout the limit of one wait, in full seconds
 */
record PeerWait(RdmaContext rdma, Duration timeout) {

    private static final Duration TO_STOP = Duration.ofSeconds(10);

    /**
     * Waits for the end of an operation that needs the peer.
     *
     * @throws SampleException if it does not end in time
     * @throws DocaException if it fails
     */
    <T> T await(Completion<T> fromPeer) throws InterruptedException {
        return orStop("The peer has not answered within", fromPeer);
    }

    /**
     * Does the same with another message.
     *
     * @param late the message of the exception if the operation does not end in time; the limit follows
     */
    <T> T orStop(String late, Completion<T> fromPeer) throws InterruptedException {
        return orStop(rdma, () -> {
            try {
                return fromPeer.await(timeout);
            } catch (TimeoutException e) {
                throw new SampleException(late + " " + timeout.toSeconds() + " s");
            }
        });
    }

    /** A wait for the end of an operation. */
    @FunctionalInterface
    interface Wait<T> {

        T end() throws InterruptedException;
    }

    /** Waits, and stops the context if the wait fails. */
    static <T> T orStop(RdmaContext rdma, Wait<T> wait) throws InterruptedException {
        try {
            return wait.end();
        } catch (RuntimeException | InterruptedException failure) {
            try {
                stop(rdma);
            } catch (DocaException refusal) {
                failure.addSuppressed(refusal);
            }
            throw failure;
        }
    }

    /** Stops a context, and waits until its memory can be closed. */
    static void stop(RdmaContext rdma) throws InterruptedException {
        rdma.stop();
        rdma.engine().await(() -> rdma.state() == ContextState.IDLE, TO_STOP);
    }
}
