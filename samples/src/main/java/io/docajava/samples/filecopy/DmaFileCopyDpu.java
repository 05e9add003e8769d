/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.filecopy;

import io.docajava.core.device.Device;
import io.docajava.core.device.PciAddress;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.PciAddressConverter;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.cli.SecondsConverter;
import io.docajava.samples.side.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The DPU's side of the copy of a file. */
@Command(
        name = "dma_file_copy_dpu",
        sortOptions = false,
        description = {
            "Pulls the file of dma_file_copy_host, on the host",
            "The output appears when all of it is there, with the SHA-256 that the host's file has. Killed by SIGKILL,"
                    + " it leaves a hidden file beside the output, .dma_file_copy-*.part, which can be deleted."
        })
public final class DmaFileCopyDpu implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(DmaFileCopyDpu.class);

    private static final String HOST_SAMPLE = "dma_file_copy_host";

    @Parameters(index = "0", paramLabel = "<output>", description = "File to write")
    private Path output;

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
            description = "Export file of the host, by default ${DEFAULT-VALUE}")
    private Path exportPath;

    @Option(names = "--force", description = "Replace the output if it is there")
    private boolean force;

    @Option(
            names = "--timeout",
            paramLabel = "<seconds>",
            defaultValue = "30",
            converter = SecondsConverter.class,
            description = "Give up when the host makes no progress for that long, by default ${DEFAULT-VALUE}")
    private Duration timeout;

    @Override
    public void run() throws IOException, InterruptedException {
        OutputFile.check(output, force);
        try (Device device =
                pciAddress == null ? Side.DPU.openFirst(HOST_SAMPLE) : Side.DPU.open(pciAddress, HOST_SAMPLE)) {
            MmapExport export = Side.HOST.load(HOST_SAMPLE, exportPath);
            if (export.length() <= ControlPage.LENGTH) {
                throw noFileCopy();
            }
            pull(device, export);
        }
    }

    @Override
    public boolean isInterruptible() {
        return true;
    }

    private void pull(Device device, MmapExport export) throws IOException, InterruptedException {
        try (ProgressEngine engine = ProgressEngine.create();
                Mmap host = Mmap.fromExport(device, export);
                Mmap mirror = allocate(device, export.length());
                DmaContext dma = DmaContext.builder(device)
                        .maxTasks(HostLink.TASKS + SlotReader.TASKS)
                        .start(engine)) {
            HostCopies copies = new HostCopies(dma, host, mirror, timeout);
            HostLink link = HostLink.open(copies, timeout);
            RingLayout layout = layout(link, dma, export);
            try (OutputFile file = OutputFile.create(output, force)) {
                link.begin();
                LOG.info("Copying {} bytes", layout.fileLength());
                CopyReport report = new FilePull(link, new SlotReader(copies, layout), layout, file).run();
                file.complete();
                tellDone(link);
                LOG.info("Copied {}", report);
            } catch (IOException | InterruptedException | RuntimeException e) {
                // The host could not be notified while the thread is interrupted.
                Thread.interrupted();
                link.giveUp();
                throw e;
            }
        }
    }

    private static Mmap allocate(Device device, long length) {
        try {
            return Mmap.allocate(device, length, Access.LOCAL_READ_WRITE);
        } catch (OutOfMemoryError e) {
            throw new SampleException("There is no memory for the " + length
                    + " bytes of the host's slots: give dma_file_copy_host a smaller --slots or --slot-size");
        }
    }

    private RingLayout layout(HostLink link, DmaContext dma, MmapExport export) {
        if (!link.isKnown()) {
            throw noFileCopy();
        }
        RingLayout layout = link.layout();
        if (layout.memoryLength() != export.length()) {
            throw noFileCopy();
        }
        long limit = dma.capabilities().maxBufferSize();
        if (layout.slotSize() > limit) {
            throw new SampleException("The host's slots have " + layout.slotSize() + " bytes, and " + dma.device()
                    + " copies " + limit + " at a time: give dma_file_copy_host a smaller --slot-size");
        }
        return layout;
    }

    private SampleException noFileCopy() {
        return new SampleException(exportPath + ": it is an export, and not one of dma_file_copy_host of this version");
    }

    /** Notifies the host. A failure does not matter, because the file is complete. */
    private static void tellDone(HostLink link) {
        try {
            link.done();
        } catch (SampleException | InterruptedException e) {
            LOG.warn("The file is complete, but this could not be reported to the host: {}", e.getMessage());
        }
    }
}
