/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.core.DocaCallException;
import io.docajava.core.context.ContextState;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies between the host's memory and a mirror of it in this process, which has the same layout. A copy that only
 * lacked room is repeated. After any other failure, such as the end of the host, no further copy is possible.
 */
final class HostCopies {

    private static final Logger LOG = LoggerFactory.getLogger(HostCopies.class);

    private final DmaContext dma;
    private final Mmap host;
    private final Mmap mirror;
    private final Duration timeout;

    /**
     * @param host the imported memory
     * @param mirror memory of this process, of the same size
     * @param timeout the longest time of a copy
     */
    HostCopies(DmaContext dma, Mmap host, Mmap mirror, Duration timeout) {
        this.dma = dma;
        this.host = host;
        this.mirror = mirror;
        this.timeout = timeout;
    }

    /** A copy that was submitted. */
    final class Copy {

        private final MapRange source;
        private final MapRange target;
        private Completion<Long> completion;

        private Copy(MapRange source, MapRange target) {
            this.source = source;
            this.target = target;
            this.completion = begin(source, target);
        }

        /** Returns whether the copy has succeeded or failed. */
        boolean isDone() {
            return completion.isDone();
        }

        /** Returns whether the copy has succeeded. */
        boolean isCopied() {
            return completion.isDone() && !completion.isCompletedExceptionally();
        }

        /**
         * Waits until the bytes are copied.
         *
         * @throws SampleException if the copy fails or takes too long
         */
        void await() throws InterruptedException {
            awaitEnd();
            if (completion.isCompletedExceptionally()) {
                repeat();
            }
        }

        /** Waits until the copy has succeeded or failed. */
        void awaitEnd() throws InterruptedException {
            if (!dma.engine().await(completion::isDone, timeout)) {
                throw new SampleException("The device has not ended a copy for " + timeout.toSeconds() + " s");
            }
        }

        private void repeat() throws InterruptedException {
            Throwable failure = completion.exceptionNow();
            Patience patience = new Patience(timeout, "A copy failed repeatedly (" + failure.getMessage() + ")");
            while (completion.isCompletedExceptionally()) {
                failure = completion.exceptionNow();
                if (!arePossible() || !isPassing(failure)) {
                    throw failed(failure);
                }
                LOG.debug("Once more: {}", failure.getMessage());
                patience.pause();
                again();
                awaitEnd();
            }
        }

        /** Copies the same bytes again. Called after the end of the copy. */
        void again() {
            completion = begin(source, target);
        }
    }

    /** Returns the mirror, which has the copied parts of the host's memory. */
    Mmap mirror() {
        return mirror;
    }

    /** Submits a copy from the host to the mirror. */
    Copy read(long offset, long length) {
        return new Copy(host.range(offset, length), mirror.range(offset, length));
    }

    /** Submits a copy from the mirror to the host. */
    Copy write(long offset, long length) {
        return new Copy(mirror.range(offset, length), host.range(offset, length));
    }

    /** Progresses the copies, without waiting. */
    void progress() {
        dma.engine().progressAll();
    }

    /** Restarts the context after a failure, which has ended all copies in flight. */
    void revive() {
        if (!arePossible()) {
            dma.restart();
        }
    }

    private boolean arePossible() {
        return dma.state() == ContextState.RUNNING;
    }

    private Completion<Long> begin(MapRange source, MapRange target) {
        if (!arePossible()) {
            throw failed(null);
        }
        return dma.copy(source, target);
    }

    private static boolean isPassing(Throwable failure) {
        return failure instanceof DocaCallException refusal && refusal.error().isTransient();
    }

    /** Returns the failure that has stopped the context, which explains more than the failure of one copy. */
    private SampleException failed(@Nullable Throwable failure) {
        Throwable reason = dma.failure().<Throwable>map(rootCause -> rootCause).orElse(failure);
        return new SampleException("A copy between the host's memory and this process failed"
                + (reason == null ? "" : ": " + reason.getMessage()));
    }
}
