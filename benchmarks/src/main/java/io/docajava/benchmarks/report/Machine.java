/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import io.docajava.core.Doca;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.util.Version;

/** Description of the machine. */
public final class Machine {

    private Machine() {}

    /** Returns names and values, in the order of the table. The host name is deliberately omitted. */
    public static Map<String, String> describe() {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        parts.put("processor", processor());
        parts.put("processors for the JVM", String.valueOf(Runtime.getRuntime().availableProcessors()));
        parts.put("memory", memory());
        parts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        parts.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        parts.put("DOCA", Doca.backend().name().toLowerCase(Locale.ROOT) + " " + Doca.version());
        parts.put("JMH", Version.getPlainVersion());
        return parts;
    }

    private static String processor() {
        return find(Path.of("/proc/cpuinfo"), "model name", "CPU part");
    }

    private static String memory() {
        String total = find(Path.of("/proc/meminfo"), "MemTotal");
        try {
            return Math.round(Long.parseLong(total.replaceAll("[^0-9]", "")) / 1048576.0) + " GiB";
        } catch (NumberFormatException e) {
            return total;
        }
    }

    /** Returns the value of the first of some names that a system file contains. */
    private static String find(Path file, String... names) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> Stream.of(names).anyMatch(line::startsWith))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
