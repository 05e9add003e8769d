/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.PciAddress;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.dma.DmaCapabilities;
import io.docajava.dma.DmaContext;
import io.docajava.samples.cli.PciAddressConverter;
import io.docajava.samples.cli.Sample;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.cli.TextConverter;
import io.docajava.samples.side.DmaDevices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies a text between two ranges of memory by the DMA engine of a device. */
@Command(
        name = "dma_local_copy",
        sortOptions = false,
        description = "Copies a text from one range of memory to another by DMA")
final class DmaLocalCopy implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(DmaLocalCopy.class);

    @Option(
            names = {"-p", "--pci-addr"},
            paramLabel = "<address>",
            defaultValue = "03:00.0",
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

    @Mixin
    private BufferCounts counts;

    @Override
    public void run() throws InterruptedException {
        try (Device device = Device.open(DeviceFilter.pciAddress(pciAddress).and(DmaDevices.COPYING))) {
            counts.check(DmaCapabilities.of(device));
            copy(device);
        }
    }

    private void copy(Device device) throws InterruptedException {
        // As in C, the text ends with a zero byte.
        int length = text.getBytes(UTF_8).length + 1;
        try (ProgressEngine engine = ProgressEngine.create();
                Mmap source = Mmap.allocate(device, length, Access.LOCAL_READ_ONLY);
                Mmap target = Mmap.allocate(device, length, Access.LOCAL_READ_WRITE);
                DmaContext dma = DmaContext.builder(device)
                        .maxTasks(1)
                        .listener(new StateLog())
                        .start(engine)) {
            source.segment().setString(0, text);

            counts.copy(dma, source, target);
            LOG.info("DMA task was completed successfully");
            dma.stop();

            long difference = source.segment().mismatch(target.segment());
            if (difference >= 0) {
                throw new SampleException("The copy differs from its source at byte " + difference);
            }
            LOG.info("Success, memory copied and verified as correct");
            LOG.info("Memory content: {}", target.segment().getString(0));
        }
    }
}
