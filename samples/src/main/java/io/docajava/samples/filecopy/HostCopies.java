/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.core.DocaCallException;
import io.docajava.core.context.ContextState;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies between the host's memory and this process' mirror of it, in which everything has the same place. A copy that only
 * lacked room is begun again. After any other failure, such as by the end of the host, none is possible any more.
 */
final class HostCopies {

    private static final Logger LOG = LoggerFactory.getLogger(HostCopies.class);

    private final DmaContext dma;
    private final BufInventory buffers;
    private final Mmap host;
    private final Mmap mirror;
    private final Duration timeout;

    /**
     * @param host the imported memory
     * @param mirror memory of this process, as large
     * @param timeout how long a copy may take
     */
    HostCopies(DmaContext dma, BufInventory buffers, Mmap host, Mmap mirror, Duration timeout) {
        this.dma = dma;
        this.buffers = buffers;
        this.host = host;
        this.mirror = mirror;
        this.timeout = timeout;
    }

    /** A copy that was begun. */
    final class Copy implements AutoCloseable {

        private final Buf source;
        private final Buf target;
        private Completion<Long> completion;

        private Copy(Buf source, Buf target) {
            this.source = source;
            this.target = target;
            this.completion = begin(source, target);
        }

        /** Returns whether it has ended, well or not. */
        boolean isDone() {
            return completion.isDone();
        }

        /** Returns whether it has ended well. */
        boolean isCopied() {
            return completion.isDone() && !completion.isCompletedExceptionally();
        }

        /**
         * Waits until the bytes are copied.
         *
         * @throws SampleException if that failed, or takes too long
         */
        void await() throws InterruptedException {
            awaitEnd();
            if (completion.isCompletedExceptionally()) {
                repeat();
            }
        }

        /** Waits until it has ended, well or not. */
        void awaitEnd() throws InterruptedException {
            if (!dma.engine().await(completion::isDone, timeout)) {
                throw new SampleException("The device has not ended a copy for " + timeout.toSeconds() + " s");
            }
        }

        private void repeat() throws InterruptedException {
            Throwable failure = completion.exceptionNow();
            Patience patience = new Patience(timeout, "A copy failed again and again (" + failure.getMessage() + ")");
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

        /** Copies the same bytes once more. To be called when it has ended. */
        void again() {
            target.clear();
            completion = begin(source, target);
        }

        /** Gives the buffers back. To be called when it has ended. */
        @Override
        public void close() {
            source.close();
            target.close();
        }
    }

    /** The host's memory, as far as it was copied. */
    Mmap mirror() {
        return mirror;
    }

    /** Begins to copy bytes of the host to the mirror. */
    Copy read(long offset, long length) {
        return new Copy(buffers.data(host, offset, length), buffers.space(mirror, offset, length));
    }

    /** Begins to copy bytes of the mirror to the host. */
    Copy write(long offset, long length) {
        return new Copy(buffers.data(mirror, offset, length), buffers.space(host, offset, length));
    }

    /** Lets copies end, without waiting for any. */
    void progress() {
        dma.engine().drain();
    }

    /** Makes copies possible again after a failure. Those that were under way have ended then. */
    void revive() {
        if (!arePossible()) {
            dma.restart();
        }
    }

    private boolean arePossible() {
        return dma.state() == ContextState.RUNNING;
    }

    private Completion<Long> begin(Buf source, Buf target) {
        if (!arePossible()) {
            throw failed(null);
        }
        return dma.copy(source, target);
    }

    private static boolean isPassing(Throwable failure) {
        return failure instanceof DocaCallException refusal && refusal.error().isTransient();
    }

    /** Returns the failure that stopped the device, which says more than that of one copy. */
    private SampleException failed(@Nullable Throwable failure) {
        Throwable reason = dma.failure().<Throwable>map(rootCause -> rootCause).orElse(failure);
        return new SampleException("A copy between the host's memory and this process failed"
                + (reason == null ? "" : ": " + reason.getMessage()));
    }
}
