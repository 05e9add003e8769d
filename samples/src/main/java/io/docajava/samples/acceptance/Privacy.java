/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces what identifies a machine or a card: host and user names, MAC and IP addresses, GUIDs, serial numbers. */
final class Privacy {

    private final Map<Pattern, String> rules = new LinkedHashMap<>();

    private Privacy() {}

    static Privacy showingAll() {
        return new Privacy();
    }

    static Privacy hiding() {
        Privacy privacy = new Privacy();
        privacy.hide(hostName(), "HOST");
        privacy.hide(System.getProperty("user.name", ""), "USER");
        privacy.rules.put(
                Pattern.compile("(?i)\\b(?:[0-9a-f]{2}[:-]){5}(?:[0-9a-f]{2}[:-]?[0-9a-f]{2}[:-])?[0-9a-f]{2}\\b"),
                "MAC");
        privacy.rules.put(Pattern.compile("(?i)(?<![\\w:])(?:[0-9a-f]{4}:){3,7}[0-9a-f]{4}\\b"), "GUID");
        privacy.rules.put(Pattern.compile("(?i)\\bfe80:[0-9a-f:]+(?:%\\w+)?"), "IPV6");
        privacy.rules.put(Pattern.compile("\\b(?!127\\.)(?:\\d{1,3}\\.){3}\\d{1,3}\\b"), "IPV4");
        privacy.rules.put(Pattern.compile("(?i)(serial(?: number)?|vuid)([\"\\s:=]+)[\\w-]+"), "$1$2SERIAL");
        return privacy;
    }

    private void hide(String name, String replacement) {
        // Short names, such as root, are words of paths and of messages as well.
        if (name.length() > 4 && !name.equals("localhost")) {
            rules.put(Pattern.compile("\\b" + Pattern.quote(name) + "\\b"), Matcher.quoteReplacement(replacement));
        }
    }

    private static String hostName() {
        try {
            Path file = Path.of("/proc/sys/kernel/hostname");
            return Files.isReadable(file)
                    ? Files.readString(file).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "";
        }
    }

    String apply(String text) {
        String result = text;
        for (Map.Entry<Pattern, String> rule : rules.entrySet()) {
            result = rule.getKey().matcher(result).replaceAll(rule.getValue());
        }
        return result;
    }
}
