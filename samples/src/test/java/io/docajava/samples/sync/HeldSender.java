/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.sync;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncLocation;
import io.docajava.samples.cli.Keyboard;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.time.Duration;

/** Runs the first half of {@code sync_event_local_pci} on the DPU twice, and waits for Enter before it sends. */
public final class HeldSender {

    private HeldSender() {}

    public static void main(String[] none) throws IOException, InterruptedException {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                DeviceRepresentor host = DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
                ProgressEngine engine = ProgressEngine.create();
                SyncEvent event = SyncEvent.builder(device)
                        .publisher(SyncLocation.REMOTE_PCI)
                        .subscriber(SyncLocation.CPU)
                        .start();
                EventChannel channel =
                        new EventChannel(device, host, engine, Duration.ofSeconds(1), "sync_event_remote_pci")) {
            send(channel, event);
        }
    }

    @SuppressWarnings("SystemOut") // read by the tests
    private static void send(EventChannel channel, SyncEvent event) throws IOException, InterruptedException {
        System.out.println("ready");
        meet(channel);
        System.out.println("met");
        Keyboard.awaitEnter("the test has ended");
        try {
            channel.send(event.exportPci(event.device()));
        } catch (SampleException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void meet(EventChannel channel) throws InterruptedException {
        while (true) {
            try {
                channel.meet();
                return;
            } catch (SampleException notYet) {
                // The sample has waited for a second.
            }
        }
    }
}
