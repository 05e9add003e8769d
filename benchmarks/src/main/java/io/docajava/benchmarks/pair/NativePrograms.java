/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import io.docajava.ffi.DocaLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The C programs of the benchmarks. They run with the same libraries that this JVM has loaded. */
public final class NativePrograms {

    /** The system property that names their folder. */
    public static final String FOLDER = "doca.benchmarks.native";

    private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

    private NativePrograms() {}

    /**
     * Returns a program ready to start, whose standard error is that of this process.
     *
     * @throws IOException if it does not exist
     */
    public static ProcessBuilder program(String name, String... arguments) throws IOException {
        String folder = System.getProperty(FOLDER);
        if (folder == null) {
            throw new IOException("The system property " + FOLDER + ", the folder of " + name + ", is not set");
        }
        Path file = Path.of(folder, name);
        if (!Files.isExecutable(file)) {
            throw new IOException(file + " is not there: build the benchmarks");
        }
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(file.toString()), Stream.of(arguments)).toList());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().merge(LIBRARY_PATH, libraryFolder(), (before, ours) -> ours + ":" + before);
        return builder;
    }

    private static String libraryFolder() {
        DocaLibrary library = DocaLibrary.load();
        return Stream.of("common", "dma", "rdma")
                .map(name -> Path.of(library.libraryPath(name)).getParent())
                .filter(Objects::nonNull)
                .map(Path::toString)
                .distinct()
                .collect(
                        Collectors.collectingAndThen(Collectors.toList(), (List<String> all) -> String.join(":", all)));
    }
}
