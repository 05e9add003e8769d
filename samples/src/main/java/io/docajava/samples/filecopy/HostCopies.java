/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.core.context.ContextState;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.SampleException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Copies between the host's memory and this process' mirror of it, in which everything has the same place. When one fails,
 * which the end of the host makes it do, no other is possible any more.
 */
final class HostCopies {

    private final DmaContext dma;
    private final BufInventory buffers;
    private final Mmap host;
    private final Mmap mirror;
    private final Duration timeout;

    /** Of the copy that failed first. */
    private @Nullable Throwable failure;

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

        /** Whether it has ended, well or not. */
        boolean isDone() {
            return completion.isDone();
        }

        /**
         * Waits until it has ended.
         *
         * @throws SampleException if it failed, or takes too long
         */
        void await() throws InterruptedException {
            if (!dma.engine().await(completion::isDone, timeout)) {
                throw new SampleException("The device has not ended a copy for " + timeout.toSeconds() + " s");
            }
            if (completion.isCompletedExceptionally()) {
                throw lost();
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

    /** Whether none has failed so far. */
    boolean arePossible() {
        return dma.state() == ContextState.RUNNING;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is for the failure
    private Completion<Long> begin(Buf source, Buf target) {
        if (!arePossible()) {
            throw lost();
        }
        Completion<Long> completion = dma.copy(source, target);
        completion.exceptionally(this::remember);
        return completion;
    }

    private Long remember(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
        return 0L;
    }

    private SampleException lost() {
        return new SampleException("The memory of the host cannot be reached any more"
                + (failure == null ? "" : ": " + failure.getMessage()));
    }
}
