/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The DPU's part: writes pieces to the output while further pieces are being copied. */
final class FilePull {

    private static final Logger LOG = LoggerFactory.getLogger(FilePull.class);

    private final HostLink link;
    private final SlotReader slots;
    private final RingLayout layout;
    private final OutputFile output;

    FilePull(HostLink link, SlotReader slots, RingLayout layout, OutputFile output) {
        this.link = link;
        this.slots = slots;
        this.layout = layout;
        this.output = output;
    }

    /**
     * Copies the whole file.
     *
     * @throws SampleException if the host has ended, or the digests of host and output differ
     */
    CopyReport run() throws IOException, InterruptedException {
        ProgressDisplay display = ProgressDisplay.begin(layout.fileLength());
        try {
            for (long piece = 0; piece < layout.pieces(); piece++) {
                link.progress();
                slots.begin(link.filled());
                if (slots.begun() == piece) {
                    link.awaitFilled(piece);
                    slots.begin(link.filled());
                }
                output.write(slots.await());
                link.release(slots.copied());
                slots.take();
                LOG.debug("Piece {} is written", piece);
                display.update(layout.bytes(piece + 1));
            }
            return new CopyReport(layout.fileLength(), display.elapsed(), verifiedDigest());
        } finally {
            display.end();
        }
    }

    private String verifiedDigest() throws InterruptedException {
        String expected = Sha256.text(link.awaitDigest());
        String actual = Sha256.text(output.digest());
        if (!expected.equals(actual)) {
            throw new SampleException("The copy differs from the file: it has the SHA-256 " + actual
                    + ", and the host has read " + expected);
        }
        return actual;
    }
}
