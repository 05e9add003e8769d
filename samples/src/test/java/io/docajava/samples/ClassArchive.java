/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An archive with the classes of a sample, with which the JVM of a launcher starts in three quarters of the time. */
final class ClassArchive {

    private static final List<String> OPTIONS = create();

    private ClassArchive() {}

    /** Returns the options for a JVM that uses the archive; none if it could not be made, as modules are still folders. */
    static List<String> options() {
        return OPTIONS;
    }

    private static List<String> create() {
        Path jar = Path.of(System.getProperty("samples.modulePath").split(":", 2)[0]);
        Path archive = jar.resolveSibling("samples-of-tests.jsa");
        List<String> flags = List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:disable", SampleProcess.GRANT);
        List<String> command = SampleProcess.command(flags, Launcher.class, "dma_local_copy");
        try {
            Files.deleteIfExists(archive);
            try (RunningProgram program =
                    RunningProgram.start(SampleProcess.prepare(command, Map.of("DOCA_BACKEND", "emulator")))) {
                program.end();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off,aot=off") : List.of();
    }
}
