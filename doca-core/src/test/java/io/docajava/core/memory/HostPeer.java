/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A process on the host that exports its memory, with the commands {@code export <bytes> <access>} and {@code close}. */
final class HostPeer {

    private HostPeer() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Device device = Device.open(DeviceFilter.any())) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                Mmap map = Mmap.allocate(device, Long.parseLong(words[1]), Access.ofFlags(Integer.parseInt(words[2])));
                try (map) {
                    System.out.println(Base64.getEncoder()
                            .encodeToString(map.exportPci(device).toBytes()));
                    lines.readLine();
                }
                System.out.println("closed");
            }
        }
    }
}
