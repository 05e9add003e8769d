/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.sync.SyncEventExport;
import io.docajava.samples.cli.Keyboard;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries the export in a file, which the user copies to the other side. This needs no comm channel. */
final class EventFile implements EventLink {

    private static final Logger LOG = LoggerFactory.getLogger(EventFile.class);

    private final Path file;
    private boolean isWritten;

    EventFile(Path file) {
        this.file = file;
    }

    @Override
    public void meet() {
        // The user starts the other side after the file exists.
    }

    @Override
    public void send(SyncEventExport export) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new SampleException("File " + file + " already exists. Please delete it prior to running the sample");
        }
        isWritten = true;
        export.saveDescriptor(file);
        LOG.info("You can now copy {} to the other side", file);
    }

    @Override
    public SyncEventExport receive() throws IOException {
        LOG.info("Please copy {} from the other side and then press enter", file);
        Keyboard.awaitEnter("the other side may not be there");
        return SyncEventExport.loadDescriptor(SyncEventExport.Kind.PCI, file);
    }

    @Override
    public void finish() {
        // The value of the event shows that the other side has finished.
    }

    @Override
    public void close() throws IOException {
        if (isWritten) {
            Files.deleteIfExists(file);
        }
    }
}
