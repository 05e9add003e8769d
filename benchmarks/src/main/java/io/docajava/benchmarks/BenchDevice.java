/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.dma.DmaContext;

/** The device that all cases are measured on. */
public final class BenchDevice {

    /** The environment variable that the programs in C read as well. */
    private static final String PCI_ADDRESS = "DOCA_BENCH_PCI";

    private BenchDevice() {}

    /** Opens the device at the PCI address in {@value #PCI_ADDRESS}, or else the first one that can copy. */
    public static Device open() {
        String address = System.getenv(PCI_ADDRESS);
        return Device.open(address == null ? DmaContext::isSupported : DeviceFilter.pciAddress(address));
    }
}
