/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import io.docajava.core.memory.MmapExport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Exported memory of a host process, which takes no part in the copies. This class starts the process. If the host is another
 * machine, {@value #FILE} names the file that {@code doca_bench_exporter} wrote there and the user has copied here.
 */
public final class Exporter implements AutoCloseable {

    /** The environment variable that the worker in C reads as well. */
    static final String FILE = "DOCA_BENCH_EXPORT";

    private final @Nullable Process process;
    private final MmapExport export;

    private Exporter(@Nullable Process process, MmapExport export) {
        this.process = process;
        this.export = export;
    }

    /**
     * Returns memory that can be read and written.
     *
     * @param bytes the required size
     * @throws IOException if there is no memory, or less
     */
    public static Exporter start(long bytes) throws IOException {
        String file = System.getenv(FILE);
        if (file == null) {
            return startProcess(bytes);
        }
        MmapExport export = read(Path.of(file));
        if (export.length() < bytes) {
            throw new IOException(file + " exports " + export.length() + " bytes, and " + bytes + " are needed");
        }
        return new Exporter(null, export);
    }

    /** Returns the export. */
    public MmapExport export() {
        return export;
    }

    private static Exporter startProcess(long bytes) throws IOException {
        Path folder = Files.createTempDirectory("doca-bench-");
        Path file = folder.resolve("export");
        Process process = NativePrograms.program("doca_bench_exporter", Long.toString(bytes), file.toString(), "rw")
                .start();
        try {
            String answer = process.inputReader().readLine();
            if (!"ready".equals(answer)) {
                throw new IOException("The exporting process ended: " + answer);
            }
            return new Exporter(process, read(file));
        } catch (Throwable failure) {
            process.destroyForcibly();
            throw failure;
        } finally {
            for (Path part : List.of(descriptor(file), info(file), folder)) {
                Files.deleteIfExists(part);
            }
        }
    }

    private static MmapExport read(Path file) throws IOException {
        return MmapExport.load(descriptor(file), info(file));
    }

    private static Path descriptor(Path file) {
        return Path.of(file + ".desc");
    }

    private static Path info(Path file) {
        return Path.of(file + ".info");
    }

    /** Ends the process, if it was started here. */
    @Override
    public void close() {
        if (process == null) {
            return;
        }
        try {
            process.outputWriter().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
