/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.samples.cli.SampleException;
import io.docajava.samples.filecopy.ControlPage.DpuState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The host's part: fills the slots with the pieces of the file, as fast as the DPU empties them. */
final class FileFeed {

    private static final Logger LOG = LoggerFactory.getLogger(FileFeed.class);

    private final FileChannel file;
    private final RingLayout layout;
    private final MemorySegment memory;
    private final ControlPage page;
    private final Patience patience;
    private final MessageDigest digest = Sha256.create();

    /** The progress display; null until the DPU has connected. */
    private @Nullable ProgressDisplay display;

    private long released;

    /**
     * Describes the file in the control page.
     *
     * @param memory initially zero, and not exported yet
     * @param timeout the longest time without progress of the DPU
     */
    FileFeed(FileChannel file, RingLayout layout, MemorySegment memory, Duration timeout) {
        this.file = file;
        this.layout = layout;
        this.memory = memory;
        this.page = new ControlPage(memory.asSlice(0, ControlPage.LENGTH));
        this.patience = new Patience(timeout, "The DPU has made no progress");
        page.describe(layout);
    }

    /** Feeds the DPU until it has the whole file. */
    CopyReport run() throws IOException, InterruptedException {
        try {
            for (long piece = 0; piece < layout.pieces(); piece++) {
                awaitSlotFor(piece);
                fill(piece);
                page.fill(piece + 1);
                // Meanwhile the DPU copies the piece.
                digest.update(slot(piece));
            }
            checkEnd();
            byte[] sha256 = digest.digest();
            page.complete(sha256);
            await(() -> page.dpuState() == DpuState.DONE);
            return new CopyReport(layout.fileLength(), display == null ? 0 : display.elapsed(), Sha256.text(sha256));
        } finally {
            if (display != null) {
                display.end();
            }
        }
    }

    private void awaitSlotFor(long piece) throws InterruptedException {
        await(() -> piece < released + layout.slots());
    }

    private void fill(long piece) throws IOException {
        ByteBuffer slot = slot(piece);
        while (slot.hasRemaining()) {
            if (file.read(slot) < 0) {
                throw new SampleException(
                        "The file has become shorter than the " + layout.fileLength() + " bytes that it had at first");
            }
        }
    }

    private void checkEnd() throws IOException {
        if (file.read(ByteBuffer.allocate(1)) > 0) {
            throw new SampleException("The file has grown while it was copied: it had " + layout.fileLength()
                    + " bytes at first, and has more now");
        }
    }

    private ByteBuffer slot(long piece) {
        return memory.asSlice(layout.offset(piece), layout.length(piece)).asByteBuffer();
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        watchDpu();
        patience.progressed();
        while (!condition.getAsBoolean()) {
            patience.pause();
            watchDpu();
        }
    }

    /** Checks the progress of the DPU. There is no time limit until the DPU has connected. */
    private void watchDpu() {
        if (page.dpuState() == DpuState.FAILED) {
            throw new SampleException("The DPU has given up; see the log of dma_file_copy_dpu for the reason");
        }
        if (page.dpuState() == DpuState.ABSENT) {
            patience.keep();
            return;
        }
        ProgressDisplay running = display;
        if (running == null) {
            LOG.info("The DPU is copying {} bytes", layout.fileLength());
            display = running = ProgressDisplay.begin(layout.fileLength());
            patience.progressed();
        }
        long now = page.released();
        if (now != released) {
            released = now;
            running.update(layout.bytes(now));
            patience.progressed();
        }
    }
}
