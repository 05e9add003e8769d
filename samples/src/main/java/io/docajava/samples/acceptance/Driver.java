/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What the kernel knows of the card: its firmware, and the version of the driver. */
final class Driver {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path VERSION = Path.of("/sys/module/mlx5_core/version");

    private Driver() {}

    static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        TreeSet<String> firmware = new TreeSet<>();
        if (Files.isDirectory(DEVICES)) {
            try (Stream<Path> devices = Files.list(DEVICES)) {
                devices.map(device -> read(device.resolve("fw_ver"))).forEach(firmware::add);
            } catch (IOException e) {
                firmware.add("unknown: " + e.getMessage());
            }
        }
        facts.put("firmware", firmware.isEmpty() ? "no card" : String.join(", ", firmware));
        facts.put("driver mlx5_core", read(VERSION));
        return facts;
    }

    private static String read(Path file) {
        try {
            return Files.isReadable(file) ? Files.readString(file).strip() : "unknown";
        } catch (IOException e) {
            return "unknown";
        }
    }
}
