/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.docajava.core.device.Device;
import io.docajava.core.device.PciAddress;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaCapabilities;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.PciAddressConverter;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.side.Side;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies a text from the memory of a process on the host. */
@Command(
        name = "dma_copy_dpu",
        sortOptions = false,
        description = "Copies a text from the memory of dma_copy_host, on the host")
final class DmaCopyDpu implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(DmaCopyDpu.class);

    private static final String HOST_SAMPLE = "dma_copy_host";

    @Option(
            names = {"-p", "--pci-addr"},
            paramLabel = "<address>",
            defaultValue = "03:00.0",
            converter = PciAddressConverter.class,
            description = "PCI address of the device, by default ${DEFAULT-VALUE}")
    private PciAddress pciAddress;

    @Option(
            names = {"-d", "--descriptor-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/export_desc.txt",
            description = "The host's export descriptor, by default ${DEFAULT-VALUE}")
    private Path descriptorPath;

    @Option(
            names = {"-b", "--buffer-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/buffer_info.txt",
            description = "The host's buffer information, by default ${DEFAULT-VALUE}")
    private Path bufferPath;

    @Mixin
    private BufferCounts counts;

    @Override
    public void run() throws IOException, InterruptedException {
        try (Device device = Side.DPU.open(pciAddress, HOST_SAMPLE)) {
            DmaCapabilities limits = DmaCapabilities.of(device);
            counts.check(limits);
            MmapExport export = Side.HOST.load(HOST_SAMPLE, descriptorPath, bufferPath);
            checkLength(export, limits);
            copy(device, export);
        }
    }

    private void checkLength(MmapExport export, DmaCapabilities limits) {
        if (export.length() > limits.maxBufferSize()) {
            throw new SampleException(bufferPath + ": the host's buffer has " + export.length()
                    + " bytes, and the device copies " + limits.maxBufferSize() + " at most");
        }
    }

    private void copy(Device device, MmapExport export) throws InterruptedException {
        long length = export.length();
        try (ProgressEngine engine = ProgressEngine.create();
                Mmap source = importFrom(device, export);
                Mmap target = Mmap.allocate(device, length, Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device)
                        .maxTasks(1)
                        .listener(new StateLog())
                        .start(engine)) {
            counts.copy(dma, source, target);
            LOG.info("DMA task was completed successfully");
            dma.stop();

            LOG.info("Remote DMA copy was done Successfully");
            LOG.info("Memory content: {}", text(target.segment()));
            LOG.info("Host sample can be closed, DMA copy ended");
        }
    }

    private Mmap importFrom(Device device, MmapExport export) {
        try {
            return Mmap.fromExport(device, export);
        } catch (IllegalArgumentException otherRange) {
            throw new SampleException(bufferPath + ": " + otherRange.getMessage());
        }
    }

    /** Returns the text before the first zero byte; the host may have sent none. */
    private static String text(MemorySegment memory) {
        memory.set(JAVA_BYTE, memory.byteSize() - 1, (byte) 0);
        return memory.getString(0);
    }
}
