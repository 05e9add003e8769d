/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An archive with the classes of a sample, with which the JVM of a launcher starts in three quarters of the time. */
final class ClassArchive {

    private static final List<String> OPTIONS = create();

    private ClassArchive() {}

    /** Returns the options for a JVM that uses the archive; none if it could not be made, as modules are still folders. */
    static List<String> options() {
        return OPTIONS;
    }

    private static List<String> create() {
        String modulePath = System.getProperty("samples.modulePath");
        Path archive = Path.of(modulePath.substring(0, modulePath.indexOf(':'))).resolveSibling("samples-of-tests.jsa");
        List<String> command = SampleProcess.java();
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:disable", SampleProcess.GRANT));
        command.addAll(
                List.of("--module-path", modulePath, "--module", "io.docajava.samples/" + Launcher.class.getName()));
        command.add("dma_local_copy");
        try {
            Files.deleteIfExists(archive);
            Process process = SampleProcess.prepare(command, Map.of("DOCA_BACKEND", "emulator"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off,aot=off") : List.of();
    }
}
