/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.emulator.EmulatorEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of the emulator for a test; null for the values in the environment. */
record Settings(
        @Nullable String role,
        @Nullable Path topology,
        @Nullable String engine) {

    static final Settings OF_ENVIRONMENT = new Settings(null, null, null);

    /** The files of topologies that tests define as text. */
    private static final Map<String, Path> FILES = new ConcurrentHashMap<>();

    private static Settings current = OF_ENVIRONMENT;

    static Settings of(DocaEmulator annotation) {
        return new Settings(
                annotation.role() == DocaEmulator.Role.DEFAULT ? null : name(annotation.role()),
                annotation.topology().isEmpty() ? null : topology(annotation.topology()),
                annotation.engine() == DocaEmulator.Engine.DEFAULT ? null : name(annotation.engine()));
    }

    /** Returns the settings of this process and its peers. */
    static synchronized Settings current() {
        return current;
    }

    /**
     * Applies these settings to this process.
     *
     * @throws IllegalStateException if the settings would change while a device is open
     */
    void apply(String test) {
        synchronized (Settings.class) {
            if (equals(current)) {
                return;
            }
            try {
                EmulatorEnvironment.configure(role, topology, engine);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "The emulator cannot have " + this + " for " + test + ", since it has " + current
                                + ", and settings change only while no device is open. Open: " + openDevices()
                                + ". Close it before, or run the test in a JVM of its own",
                        e);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "The emulator cannot have " + this + " for " + test + ": " + e.getMessage(), e);
            }
            current = this;
        }
    }

    private static String openDevices() {
        return Resource.allOpen().stream()
                .map(OpenResources::describe)
                .filter(resource -> resource.startsWith("Device "))
                .sorted()
                .collect(Collectors.joining("; "));
    }

    /** Adds these settings to the environment of another process. */
    void addTo(Map<String, String> environment) {
        environment.putAll(toMap());
    }

    private Map<String, String> toMap() {
        Map<String, String> variables = new LinkedHashMap<>();
        put(variables, EmulatorEnvironment.ROLE, role);
        put(variables, EmulatorEnvironment.TOPOLOGY, topology);
        put(variables, EmulatorEnvironment.ENGINE, engine);
        return variables;
    }

    private static void put(Map<String, String> variables, String name, @Nullable Object value) {
        if (value != null) {
            variables.put(name, value.toString());
        }
    }

    static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static Path topology(String text) {
        return text.indexOf('\n') < 0 ? Path.of(text).toAbsolutePath() : FILES.computeIfAbsent(text, Settings::write);
    }

    private static Path write(String text) {
        try {
            Path file = Files.createTempFile("doca-topology-", ".ini");
            file.toFile().deleteOnExit();
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return equals(OF_ENVIRONMENT) ? "the settings of the environment" : toMap().toString();
    }
}
