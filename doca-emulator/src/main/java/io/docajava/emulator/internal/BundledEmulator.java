/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator.internal;

import io.docajava.ffi.EmulatorProvider;
import io.docajava.ffi.NativeResources;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The emulator's libraries in this jar. */
public final class BundledEmulator implements EmulatorProvider {

    private static final String DEFAULT_RELEASE = "3.0";
    private static final String RELEASES = "/META-INF/native/releases.tsv";

    /** For the service loader. */
    public BundledEmulator() {}

    @Override
    public Path libraryDirectory() throws IOException {
        String given = System.getenv("DOCA_EMULATOR_RELEASE");
        String release = given == null || given.isEmpty() ? DEFAULT_RELEASE : given;
        Map<String, List<String>> libraries = libraries();
        List<String> names = libraries.get(release);
        if (names == null) {
            throw new IOException(
                    "DOCA_EMULATOR_RELEASE=" + release + ": expected one of " + String.join(", ", libraries.keySet()));
        }
        return NativeResources.unpack(BundledEmulator.class, release, names);
    }

    /** Returns the libraries of each release, the newest release first. */
    private static Map<String, List<String>> libraries() throws IOException {
        try (InputStream table = BundledEmulator.class.getResourceAsStream(RELEASES)) {
            if (table == null) {
                throw new FileNotFoundException("the jar of doca-emulator has no " + RELEASES);
            }
            Map<String, List<String>> libraries = new LinkedHashMap<>();
            for (String line : new String(table.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList()) {
                String[] columns = line.split("\t", -1);
                libraries.put(
                        columns[0],
                        Stream.of(columns[4].split(" ", -1))
                                .map(name -> "libdoca_" + name + ".so." + columns[3])
                                .toList());
            }
            return libraries;
        }
    }
}
