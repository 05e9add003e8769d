/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.side;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.DeviceNotFoundException;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.PciAddress;
import io.docajava.core.memory.MmapCapabilities;
import io.docajava.core.memory.MmapExport;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A side of the PCI bus. In C, the build decides which samples exist on a side; here, a sample runs wherever a
 * device supports it.
 */
public final class Side {

    /** The machine that the DPU is plugged into. */
    public static final Side HOST = new Side("Host", "export memory over PCI", MmapCapabilities::isExportPciSupported);

    /** The DPU itself. */
    public static final Side DPU =
            new Side("DPU", "import memory over PCI", MmapCapabilities::isCreateFromExportPciSupported);

    private final String label;
    private final String skill;
    private final DeviceFilter skilled;

    private Side(String label, String skill, DeviceFilter skilled) {
        this.label = label;
        this.skill = skill;
        this.skilled = DeviceFilter.named("the ability to " + skill, skilled);
    }

    /**
     * Opens the device at an address. It must have a DMA engine and the capability that this side needs.
     *
     * @param otherSample the sample for the other side, which the message of a failure names
     * @throws SampleException if there is none, and this process is on the other side
     * @throws DeviceNotFoundException if there is none on this side
     */
    public Device open(PciAddress address, String otherSample) {
        return open(DeviceFilter.pciAddress(address).and(DmaDevices.COPYING), otherSample);
    }

    /**
     * Opens the first device that has a DMA engine and the capability that this side needs.
     *
     * @param otherSample the sample for the other side, which the message of a failure names
     * @throws SampleException if there is none, and this process is on the other side
     * @throws DeviceNotFoundException if there is none on this side
     */
    public Device openFirst(String otherSample) {
        return open(DmaDevices.COPYING, otherSample);
    }

    private Device open(DeviceFilter filter, String otherSample) {
        try {
            return Device.open(filter.and(skilled));
        } catch (DeviceNotFoundException notFound) {
            List<DeviceInfo> devices = Device.list();
            if (devices.isEmpty() || here(devices) == this) {
                throw notFound;
            }
            String reason = devices.stream().anyMatch(skilled::matches)
                    ? String.valueOf(notFound.getMessage())
                    : "no device here can " + skill;
            throw new SampleException("Sample should run on the " + label + ": " + reason
                    + ". On the emulator, the environment decides: " + role()
                    + ". The sample for the side of this process is " + otherSample);
        }
    }

    /**
     * Loads the export of a sample that runs on this side.
     *
     * @param sample the sample that writes the files
     * @throws SampleException if a file is missing
     * @throws IOException if a file cannot be read
     */
    public MmapExport load(String sample, Path... files) throws IOException {
        try {
            return files.length == 1 ? MmapExport.load(files[0]) : MmapExport.load(files[0], files[1]);
        } catch (NoSuchFileException missing) {
            throw new SampleException(missing.getFile() + ": there is no such file or folder. " + startFirst(sample)
                    + ", and copy its export here if this is another machine");
        }
    }

    /** Returns the part of messages that says to start a sample on this side before the one that has failed. */
    public String startFirst(String sample) {
        return "Start " + sample + " first, on the emulator with " + role();
    }

    /** Returns the environment variable that puts a process with the emulator on this side. */
    public String role() {
        return "DOCA_EMULATOR_ROLE=" + label.toLowerCase(Locale.ROOT);
    }

    /** Returns the side of this process; only a DPU has representors. */
    private static Side here(List<DeviceInfo> devices) {
        return devices.stream().anyMatch(DeviceRepresentor::isSupported) ? DPU : HOST;
    }
}
