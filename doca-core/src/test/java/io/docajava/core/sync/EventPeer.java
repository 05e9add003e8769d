/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeoutException;

/**
 * A process on the host that creates or imports an event and executes commands on it. The command {@code leave} closes the
 * event, so that the next one can follow.
 */
final class EventPeer {

    private static final Duration LONG = Await.LIMIT;

    private EventPeer() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, TimeoutException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Device device = Device.open(DeviceFilter.pciAddress("0b:00.0"))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                try (SyncEvent event = open(device, line)) {
                    use(event, lines);
                }
                System.out.println("left");
            }
        }
    }

    private static void use(SyncEvent event, BufferedReader lines)
            throws IOException, InterruptedException, TimeoutException {
        for (String line = lines.readLine(); line != null && !line.equals("leave"); line = lines.readLine()) {
            System.out.println(answer(event, line.split(" ", -1)));
        }
    }

    private static SyncEvent open(Device device, String line) {
        if (line.equals("export")) {
            SyncEvent event = SyncEvent.builder(device)
                    .publisher(SyncLocation.CPU)
                    .publisher(SyncLocation.REMOTE_PCI)
                    .subscriber(SyncLocation.CPU)
                    .start();
            System.out.println(
                    Base64.getEncoder().encodeToString(event.exportPci(device).toBytes()));
            return event;
        }
        SyncEvent event = SyncEvent.fromExport(
                device, SyncEventExport.parse(Base64.getDecoder().decode(line)));
        System.out.println("imported");
        return event;
    }

    private static String answer(SyncEvent event, String[] words) throws InterruptedException, TimeoutException {
        return switch (words[0]) {
            case "get" -> String.valueOf(event.get());
            case "set" -> {
                event.set(Long.parseLong(words[1]));
                yield "done";
            }
            case "add" -> String.valueOf(event.add(Long.parseLong(words[1])));
            case "count" -> {
                for (int i = 0; i < Integer.parseInt(words[1]); i++) {
                    event.add(1);
                }
                yield "done";
            }
            case "wait" -> String.valueOf(event.newWait().timeout(LONG).untilEqual(Long.parseLong(words[1])));
            default -> throw new IllegalArgumentException(words[0]);
        };
    }
}
