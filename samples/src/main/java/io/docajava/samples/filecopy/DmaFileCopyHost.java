/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.core.device.Device;
import io.docajava.core.device.PciAddress;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.dma.DmaCapabilities;
import io.docajava.samples.cli.CountConverter;
import io.docajava.samples.cli.PciAddressConverter;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.cli.SecondsConverter;
import io.docajava.samples.cli.SizeConverter;
import io.docajava.samples.side.Side;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The host's side of the copy of a file. */
@Command(
        name = "dma_file_copy_host",
        sortOptions = false,
        description = {
            "Lets dma_file_copy_dpu pull a file of any size",
            "It waits for the DPU without a limit, and ends when the DPU has the whole file."
        })
public final class DmaFileCopyHost implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(DmaFileCopyHost.class);

    private static final String DPU_SAMPLE = "dma_file_copy_dpu";

    @Parameters(index = "0", paramLabel = "<file>", description = "File to copy")
    private Path file;

    @Option(
            names = {"-p", "--pci-addr"},
            paramLabel = "<address>",
            converter = PciAddressConverter.class,
            description = "PCI address of the device, by default the first one that can")
    private @Nullable PciAddress pciAddress;

    @Option(
            names = {"-x", "--export-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/dma_file_copy.export",
            description = "Export file to write for the DPU, by default ${DEFAULT-VALUE}")
    private Path exportPath;

    @Option(
            names = "--slot-size",
            paramLabel = "<bytes>",
            defaultValue = "1M",
            converter = SizeConverter.class,
            description = "Bytes that are copied at a time, such as 4096, 64K or 2M, by default ${DEFAULT-VALUE}")
    private long slotSize;

    @Option(
            names = "--slots",
            paramLabel = "<number>",
            defaultValue = "32",
            converter = CountConverter.class,
            description =
                    "Number of slots of that size to share with the DPU, at most 1024, by default ${DEFAULT-VALUE}")
    private int slots;

    @Option(
            names = "--timeout",
            paramLabel = "<seconds>",
            defaultValue = "30",
            converter = SecondsConverter.class,
            description = "Give up when a connected DPU makes no progress for that long, by default ${DEFAULT-VALUE}")
    private Duration timeout;

    @Override
    public void run() throws IOException, InterruptedException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new SampleException(file + ": it is no regular file");
        }
        if (Files.exists(file) && Files.exists(exportPath) && Files.isSameFile(file, exportPath)) {
            throw new SampleException(exportPath + ": it is the file to copy, and the export would replace it");
        }
        try (FileChannel content = FileChannel.open(file, StandardOpenOption.READ);
                Device device =
                        pciAddress == null ? Side.HOST.openFirst(DPU_SAMPLE) : Side.HOST.open(pciAddress, DPU_SAMPLE)) {
            RingLayout layout = new RingLayout(lengthOf(content), slotSize, slots);
            checkSlotSize(device);
            try (Mmap memory = allocate(device, layout)) {
                serve(content, layout, memory, memory.exportPci(device));
            }
        }
    }

    /** Returns the length of the file. Files such as those in /proc have a length of 0 and are refused. */
    private long lengthOf(FileChannel content) throws IOException {
        long length = content.size();
        if (length == 0 && content.read(ByteBuffer.allocate(1), 0) > 0) {
            throw new SampleException(file + ": it has no fixed length, which a file to copy needs");
        }
        return length;
    }

    @Override
    public boolean isInterruptible() {
        return true;
    }

    private void checkSlotSize(Device device) {
        long limit = DmaCapabilities.of(device).maxBufferSize();
        if (slotSize > limit) {
            throw new SampleException("Slots of " + slotSize + " bytes are too large: " + device + " copies " + limit
                    + " bytes at a time");
        }
    }

    private static Mmap allocate(Device device, RingLayout layout) {
        try {
            return Mmap.allocate(device, layout.memoryLength(), Access.PCI_READ_WRITE);
        } catch (OutOfMemoryError e) {
            throw new SampleException("There is no memory for " + layout.slots() + " slots of " + layout.slotSize()
                    + " bytes: ask for less by --slots or --slot-size");
        }
    }

    private void serve(FileChannel content, RingLayout layout, Mmap memory, MmapExport export)
            throws IOException, InterruptedException {
        FileFeed feed = new FileFeed(content, layout, memory.segment(), timeout);
        export.save(exportPath);
        try {
            LOG.info("Please copy {} to the DPU and run there: dma_file_copy_dpu <output>", exportPath);
            CopyReport report = feed.run();
            LOG.info("The DPU has copied {}", report);
        } finally {
            forget(export);
        }
    }

    /** Deletes the file of the export, unless another process has replaced it. */
    private void forget(MmapExport export) {
        // No file could be read while the thread is interrupted.
        Thread.interrupted();
        try {
            if (Files.exists(exportPath) && MmapExport.load(exportPath).equals(export)) {
                Files.delete(exportPath);
            }
        } catch (IOException e) {
            LOG.warn("{} was not deleted: {}", exportPath, e.getMessage());
        }
    }
}
