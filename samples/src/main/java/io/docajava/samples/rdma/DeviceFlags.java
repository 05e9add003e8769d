/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.samples.cli.SampleException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for the device, and for the address of the device. */
final class DeviceFlags {

    @Option(
            names = {"-d", "--device"},
            paramLabel = "<IB device name>",
            defaultValue = "",
            description = "IB device name, by default the first device that can do it")
    private String device;

    @Option(
            names = {"-g", "--gid-index"},
            paramLabel = "<index>",
            description = "Index of the device's GID to use, by default the SDK's choice")
    private @Nullable Integer gidIndex;

    /** Opens the device, which must support RDMA. */
    Device open() {
        return open(DeviceFilter.named("support for RDMA", RdmaContext::isSupported));
    }

    /** Opens the device, which must support one type of operation. */
    Device open(RdmaTaskType task) {
        String name = task.name().toLowerCase(Locale.ROOT);
        return open(DeviceFilter.named("support for RDMA task " + name, info -> RdmaContext.isSupported(info, task)));
    }

    private Device open(DeviceFilter able) {
        if (gidIndex != null && gidIndex < 0) {
            throw new SampleException("GID index for DOCA RDMA must be non-negative: " + gidIndex);
        }
        return Device.open(
                device.isEmpty() ? able : DeviceFilter.ibDevice(device).and(able));
    }

    /** Configures a context on the device. */
    RdmaContextBuilder context(Device opened) {
        RdmaContextBuilder builder = RdmaContext.builder(opened).listener(new StateLog());
        return gidIndex == null ? builder : builder.gidIndex(gidIndex);
    }
}
