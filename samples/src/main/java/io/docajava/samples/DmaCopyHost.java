/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.core.device.Device;
import io.docajava.core.device.PciAddress;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.samples.cli.Keyboard;
import io.docajava.samples.cli.PciAddressConverter;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.cli.TextConverter;
import io.docajava.samples.side.Side;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Exports a text in memory of this process, from which a DPU copies it. */
@Command(
        name = "dma_copy_host",
        sortOptions = false,
        description = {
            "Lets dma_copy_dpu copy a text from this process' memory",
            "It ends when enter is pressed. An end of its input before that is an error."
        })
final class DmaCopyHost implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(DmaCopyHost.class);

    @Option(
            names = {"-p", "--pci-addr"},
            paramLabel = "<address>",
            defaultValue = "b1:00.0",
            converter = PciAddressConverter.class,
            description = "PCI address of the device, by default ${DEFAULT-VALUE}")
    private PciAddress pciAddress;

    @Option(
            names = {"-t", "--text"},
            paramLabel = "<text>",
            defaultValue = "This is a sample piece of text",
            converter = TextConverter.class,
            description = "Text to copy, by default \"${DEFAULT-VALUE}\"")
    private String text;

    @Option(
            names = {"-d", "--descriptor-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/export_desc.txt",
            description = "Where to write the export descriptor, by default ${DEFAULT-VALUE}")
    private Path descriptorPath;

    @Option(
            names = {"-b", "--buffer-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/buffer_info.txt",
            description = "Where to write the buffer information, by default ${DEFAULT-VALUE}")
    private Path bufferPath;

    @Override
    public void run() throws IOException {
        // As in C, the text ends with a zero byte.
        int length = text.getBytes(UTF_8).length + 1;
        try (Device device = Side.HOST.open(pciAddress, "dma_copy_dpu");
                Mmap memory = Mmap.allocate(device, length, Access.PCI_READ_ONLY)) {
            memory.segment().setString(0, text);
            MmapExport export = memory.exportPci(device);

            LOG.info("Please copy {} and {} to the DPU and run DMA Copy DPU sample", descriptorPath, bufferPath);
            save(export);
            LOG.info("Wait till the DPU has finished and press enter");
            Keyboard.awaitEnter("the DPU may not have finished");
        }
    }

    private void save(MmapExport export) throws IOException {
        try {
            export.save(descriptorPath, bufferPath);
        } catch (IllegalArgumentException sameFile) {
            throw new SampleException(String.valueOf(sameFile.getMessage()));
        }
    }
}
