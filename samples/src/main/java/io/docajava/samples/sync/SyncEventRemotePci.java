/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.samples.cli.Sample;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Imports a sync event of the other side of the PCI bus, waits for its signal, and answers. */
@Command(
        name = "sync_event_remote_pci",
        sortOptions = false,
        description = "Takes part in the sync event of sync_event_local_pci, on the other side of the PCI bus")
public final class SyncEventRemotePci implements Sample {

    private static final Logger LOG = LoggerFactory.getLogger(SyncEventRemotePci.class);

    private static final DeviceFilter IMPORTING = DeviceFilter.named(
            "support for sync events of the other side of the PCI bus",
            info -> SyncEventCapabilities.of(info).createFromExportPci());

    @Mixin
    private EventFlags flags;

    @Override
    public void run() throws InterruptedException, IOException {
        try (Device device = flags.openDevice(IMPORTING);
                DeviceRepresentor host = flags.openRepresentor(device);
                ProgressEngine engine = ProgressEngine.create();
                EventLink link = flags.openLink(device, host, engine, "sync_event_local_pci")) {
            link.meet();
            LOG.info("Listening");
            SyncEventExport export = link.receive();
            LOG.info("Received blob from remote side");
            answer(export, device, engine);
            link.finish();
        }
    }

    /** Answers, and closes the event before the end of the connection, after which the other side destroys it. */
    private void answer(SyncEventExport export, Device device, ProgressEngine engine) throws InterruptedException {
        try (SharedEvent event = flags.join(export, device, engine)) {
            LOG.info("Waiting for sync event to be signaled from remote side");
            event.await(1);
            LOG.info("Signaling sync event for remote side");
            flags.update(event, 2);
            LOG.info("Done");
        }
    }

    @Override
    public boolean isInterruptible() {
        return true;
    }
}
