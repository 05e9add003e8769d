/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The SDK that the emulator's build lays out, and what this module's build links with it. */
public final class EmulatorSdk {

    private EmulatorSdk() {}

    /** The folder of the libraries, which has the name of this machine's architecture. */
    public static Path libraries() {
        try (Stream<Path> folders = Files.list(folder("doca.benchmarks.sdk").resolve("lib"))) {
            return folders.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A program in C of this module. */
    public static ProcessBuilder program(String name, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(
                folder("doca.benchmarks.native").resolve(name).toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().put("LD_LIBRARY_PATH", libraries().toString());
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static Path folder(String property) {
        return Path.of(System.getProperty(property)).normalize();
    }
}
