/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.comch.CommCapabilities;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.PciAddress;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventBuilder;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventContextBuilder;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.samples.cli.CountConverter;
import io.docajava.samples.cli.PciAddressConverter;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.cli.SecondsConverter;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of both samples: the device, and the way in which the event is used. */
final class EventFlags {

    @Option(
            names = {"-d", "--pci-addr"},
            paramLabel = "<address>",
            required = true,
            converter = PciAddressConverter.class,
            description = "PCI address of the device")
    private PciAddress device;

    @Option(
            names = {"-r", "--rep-pci"},
            paramLabel = "<address>",
            converter = PciAddressConverter.class,
            description =
                    "PCI address of the representor, which is that of the host's device; on the DPU, where it is needed")
    private @Nullable PciAddress representor;

    @Option(
            names = "--descriptor-path",
            paramLabel = "<file>",
            description =
                    "Carry the export of the sync event in this file, which you copy between the sides, and not over a"
                            + " comm channel, which releases before 2.9 lack")
    private @Nullable Path file;

    @Option(names = "--async", description = "Use the sync event by tasks of a progress engine, and not by calls")
    private boolean byTasks;

    @Option(
            names = "--async-num-tasks",
            paramLabel = "<number>",
            defaultValue = "1",
            converter = CountConverter.class,
            description = "How many tasks of each type there are with --async, by default ${DEFAULT-VALUE}")
    private int tasks;

    @Option(names = "--atomic", description = "Update the sync event by adding to it, and not by setting it")
    private boolean byAdding;

    @Option(
            names = "--timeout",
            paramLabel = "<seconds>",
            defaultValue = "30",
            converter = SecondsConverter.class,
            description = "How long to wait for the other side, each time, by default ${DEFAULT-VALUE}")
    private Duration timeout;

    /**
     * Opens the device.
     *
     * @param able accepts devices that support the sample
     * @throws SampleException if the device does not support the flags
     */
    Device openDevice(DeviceFilter able) {
        Device opened = Device.open(DeviceFilter.pciAddress(device).and(able));
        try {
            check(opened);
        } catch (Throwable unfit) {
            opened.close();
            throw unfit;
        }
        return opened;
    }

    private void check(Device opened) {
        if (file == null) {
            checkSide(opened);
        }
        if (byTasks && !SyncEventCapabilities.of(opened.info()).tasks().contains(SyncEventTaskType.WAIT_EQUAL)) {
            throw new SampleException("DOCA Sync Event asynchronous wait is not supported on the given device");
        }
    }

    private void checkSide(Device opened) {
        boolean isOfDpu = CommCapabilities.of(opened.info()).server();
        if (isOfDpu && representor == null) {
            throw new SampleException("On the DPU, --rep-pci is needed: the PCI address of the host's device");
        }
        if (!isOfDpu && representor != null) {
            throw new SampleException("--rep-pci is for the DPU, and "
                    + opened.info().displayName() + " is a device of a host: leave it out");
        }
    }

    /** Opens the representor; null on the host, and if there is no comm channel. */
    @Nullable
    DeviceRepresentor openRepresentor(Device opened) {
        return representor == null || file != null
                ? null
                : DeviceRepresentor.open(opened, RepresentorFilter.pciAddress(representor));
    }

    EventLink openLink(Device opened, @Nullable DeviceRepresentor host, ProgressEngine engine, String otherSample) {
        return file == null ? new EventChannel(opened, host, engine, timeout, otherSample) : new EventFile(file);
    }

    /** Creates an event on this side. */
    SharedEvent start(SyncEventBuilder builder, ProgressEngine engine) {
        return byTasks ? start(builder.tasks(), engine) : new CalledEvent(builder.start(), timeout);
    }

    /** Imports an event of the other side. */
    SharedEvent join(SyncEventExport export, Device opened, ProgressEngine engine) {
        return byTasks
                ? start(SyncEventContext.fromExport(opened, export), engine)
                : new CalledEvent(SyncEvent.fromExport(opened, export), timeout);
    }

    private TaskEvent start(SyncEventContextBuilder builder, ProgressEngine engine) {
        return new TaskEvent(builder.maxTasks(tasks).start(engine), timeout);
    }

    /** Increases the event by 1 to the given value, by an addition or by setting it. */
    void update(SharedEvent event, long value) throws InterruptedException {
        if (byAdding) {
            event.add(1);
        } else {
            event.set(value);
        }
    }
}
