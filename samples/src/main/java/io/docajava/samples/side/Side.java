/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.side;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.PciAddress;
import io.docajava.core.memory.MmapCapabilities;
import io.docajava.samples.cli.SampleException;
import java.util.List;
import java.util.Locale;

/**
 * A side of the PCI bus that a sample runs on. In C the build decides that; here it is what the devices can do: those of a
 * host export memory, those of a DPU import it.
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
     * Opens the device at an address that copies and does what this side does.
     *
     * @throws SampleException if no device of this machine does: it is the other side
     */
    public Device open(PciAddress address) {
        check();
        return Device.open(
                DeviceFilter.pciAddress(address).and(DmaDevices.COPYING).and(skilled));
    }

    /**
     * Opens the first device that copies and does what this side does.
     *
     * @throws SampleException if no device of this machine does: it is the other side
     */
    public Device openFirst() {
        check();
        return Device.open(DmaDevices.COPYING.and(skilled));
    }

    private void check() {
        List<DeviceInfo> devices = Device.list();
        if (!devices.isEmpty() && devices.stream().noneMatch(skilled::matches)) {
            throw new SampleException("Sample can run only on the " + label + ": no device here can " + skill
                    + ". On the emulator, the environment decides: DOCA_EMULATOR_ROLE="
                    + label.toLowerCase(Locale.ROOT));
        }
    }
}
