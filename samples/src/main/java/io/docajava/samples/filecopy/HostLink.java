/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.DocaException;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.filecopy.ControlPage.DpuState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The DPU's side of the control page: reads the host's part, and writes the DPU's part. */
final class HostLink {

    /** The largest number of copies in flight: one in each direction. */
    static final int TASKS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(HostLink.class);

    private final HostCopies copies;
    private final ControlPage page;
    private final Patience patience;
    private final HostCopies.Copy hostRead;
    private HostCopies.@Nullable Copy dpuWrite;

    private long filled;
    private boolean complete;
    private byte @Nullable [] digest;

    private long released;
    private long reported;

    /** True if the host may know of this DPU. */
    private boolean begun;

    private HostLink(HostCopies copies, ControlPage page, Duration timeout) {
        this.copies = copies;
        this.page = page;
        this.patience = new Patience(timeout, "The host has made no progress");
        this.hostRead = copies.read(0, ControlPage.HOST_LENGTH);
    }

    /**
     * Reads the control page.
     *
     * @param timeout the longest time without progress of the host
     */
    static HostLink open(HostCopies copies, Duration timeout) throws InterruptedException {
        // Later reads are only of the host's part.
        copies.read(0, ControlPage.DPU_OFFSET + ControlPage.DPU_LENGTH).await();
        ControlPage page = new ControlPage(copies.mirror().segment().asSlice(0, ControlPage.LENGTH));
        return new HostLink(copies, page, timeout);
    }

    /** Returns whether the host's memory has a control page of this version. */
    boolean isKnown() {
        return page.isKnown();
    }

    RingLayout layout() {
        return page.layout();
    }

    /**
     * Notifies the host that the DPU has connected.
     *
     * @throws SampleException if another DPU has connected before
     */
    void begin() throws InterruptedException {
        if (page.dpuState() != DpuState.ABSENT) {
            throw new SampleException(
                    "Another dma_file_copy_dpu has begun to copy this file, and one is possible. If"
                            + " that one has ended, dma_file_copy_host gives up after its timeout, and has to be started again");
        }
        begun = true;
        report(DpuState.COPYING);
    }

    /** Returns the number of filled pieces according to the last read. */
    long filled() {
        return filled;
    }

    /** Handles a completed read, submits the next one, and sends a pending update. Does not wait. */
    void progress() throws InterruptedException {
        copies.progress();
        if (hostRead.isDone()) {
            readHost();
        }
        sendReleased();
    }

    /** Waits until more than the given number of pieces are filled. */
    void awaitFilled(long known) throws InterruptedException {
        patience.progressed();
        readHost();
        while (filled <= known) {
            pause();
        }
    }

    /** Waits for the digest of the whole file. */
    byte[] awaitDigest() throws InterruptedException {
        patience.progressed();
        while (digest == null) {
            pause();
        }
        return digest;
    }

    /** Sends the number of copied pieces to the host. Does not wait. While a write is in flight, only the latest number is kept. */
    void release(long pieces) throws InterruptedException {
        released = pieces;
        sendReleased();
    }

    /** Notifies the host that the file is complete. */
    void done() throws InterruptedException {
        report(DpuState.DONE);
    }

    /** Notifies the host that the DPU gives up, if possible and if the host knows of this DPU. */
    void giveUp() throws InterruptedException {
        if (!begun) {
            return;
        }
        try {
            copies.revive();
            if (dpuWrite != null) {
                dpuWrite.awaitEnd();
            }
            send(DpuState.FAILED);
        } catch (SampleException | DocaException | IllegalStateException e) {
            LOG.warn(
                    "The failure could not be reported to the host. If the host still runs, it gives up after its timeout");
            LOG.debug("The cause of the failed report", e);
        }
    }

    private void pause() throws InterruptedException {
        if (!patience.isTried()) {
            LOG.debug("Waiting for the host");
        }
        patience.pause();
        progress();
        readHost();
    }

    /** Waits for the read in flight, and submits the next one. */
    private void readHost() throws InterruptedException {
        hostRead.await();
        filled = page.filled();
        // A read during the host's write may have only a part of the digest.
        if (complete) {
            digest = page.digest();
        }
        complete = page.isComplete();
        hostRead.again();
    }

    private void sendReleased() throws InterruptedException {
        if (released != reported && (dpuWrite == null || dpuWrite.isDone())) {
            awaitWrite();
            send();
        }
    }

    private void report(DpuState state) throws InterruptedException {
        awaitWrite();
        send(state);
    }

    private void awaitWrite() throws InterruptedException {
        if (dpuWrite != null) {
            dpuWrite.await();
        }
    }

    private void send(DpuState state) throws InterruptedException {
        page.setDpuState(state);
        send().await();
    }

    /** Writes the DPU's part of the page to the host, when no write is in flight. */
    private HostCopies.Copy send() {
        page.release(released);
        reported = released;
        HostCopies.Copy last = dpuWrite;
        if (last == null) {
            last = dpuWrite = copies.write(ControlPage.DPU_OFFSET, ControlPage.DPU_LENGTH);
        } else {
            last.again();
        }
        return last;
    }
}
