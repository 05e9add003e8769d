/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncLocation;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Exports a sync event to the other side of the PCI bus, signals it, and waits for the answer. */
@Command(
        name = "sync_event_local_pci",
        sortOptions = false,
        description = "Shares a sync event with sync_event_remote_pci, on the other side of the PCI bus")
public final class SyncEventLocalPci implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(SyncEventLocalPci.class);

    private static final DeviceFilter EXPORTING = DeviceFilter.named(
            "support for exports of sync events to the other side of the PCI bus",
            info -> SyncEventCapabilities.of(info).exportPci());

    @Mixin
    private EventFlags flags;

    @Override
    public void run() throws InterruptedException, IOException {
        try (Device device = flags.openDevice(EXPORTING);
                DeviceRepresentor host = flags.openRepresentor(device);
                ProgressEngine engine = ProgressEngine.create();
                SharedEvent event = flags.start(
                        SyncEvent.builder(device)
                                .publisher(SyncLocation.REMOTE_PCI)
                                .subscriber(SyncLocation.CPU),
                        engine);
                EventLink link = flags.openLink(device, host, engine, "sync_event_remote_pci")) {
            link.meet();
            LOG.info("Sending exported DOCA Sync Event to remote side");
            link.send(event.export());
            LOG.info("Exported DOCA Sync Event has been sent to remote side successfully");

            LOG.info("Signaling sync event for remote side");
            flags.update(event, 1);
            LOG.info("Waiting for sync event to be signaled from remote side");
            event.await(2);
            LOG.info("Done");
            link.finish();
        }
    }

    @Override
    public boolean isInterruptible() {
        return true;
    }
}
