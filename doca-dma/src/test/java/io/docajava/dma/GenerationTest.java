/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that processes and libraries of different generations refuse each other. */
@Timeout(600)
@DocaEmulator
class GenerationTest {

    /** The emulator's libdoca_common by release. */
    private static final Map<String, Path> COMMON = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"2.2, 3.0, Starting, doca_sync_event_start", "3.0, 2.2, Importing, doca_sync_event_create_from_export"})
    void anExportOfTheOtherGenerationIsRefusedByName(String host, String dpu, String doing, String function)
            throws Exception {
        run(Map.of("DOCA_EMULATOR_RELEASE", host, EmulatorEnvironment.ROLE, "host"), "export");

        assertThat(run(Map.of("DOCA_EMULATOR_RELEASE", dpu), "import"))
                .containsExactly(
                        "DocaCallException: Importing Mmap of 4096 bytes imported on 0000:03:00.0 (mlx5_0):"
                                + " doca_mmap_create_from_export failed with DOCA_ERROR_INVALID_VALUE (Invalid input):"
                                + " Failed to import memory: the descriptor is of libraries of release " + host
                                + ", and these are of " + dpu,
                        "DocaCallException: " + doing + " SyncEvent imported on 0000:03:00.0 (mlx5_0): " + function
                                + " failed with DOCA_ERROR_INVALID_VALUE (Invalid input): Failed to import a sync event:"
                                + " the descriptor is of libraries of release " + host + ", and these are of " + dpu);
    }

    /** Release 1.5 has no sync events. */
    @ParameterizedTest
    @CsvSource({"1.5, 2.2", "1.5, 3.0", "2.2, 1.5", "3.0, 1.5"})
    void anExportOfMemoryIsRefusedByName(String host, String dpu) throws Exception {
        run(Map.of("DOCA_EMULATOR_RELEASE", host, EmulatorEnvironment.ROLE, "host"), "export memory");

        // Libraries of 1.5 also log to the output of the program.
        assertThat(run(Map.of("DOCA_EMULATOR_RELEASE", dpu), "import memory"))
                .contains("DocaCallException: Importing Mmap of 4096 bytes imported on 0000:03:00.0 (mlx5_0):"
                        + " doca_mmap_create_from_export failed with DOCA_ERROR_INVALID_VALUE (Invalid input): Failed to import"
                        + " memory: the descriptor is of libraries of release " + host + ", and these are of " + dpu);
    }

    /** A job of release 1.5 writes to the start of its destination. */
    @ParameterizedTest
    @ValueSource(strings = {"1.4", "1.5", "2.2", "2.5", "3.0", "3.3", "3.4"})
    void copiesAppendToTheirTarget(String release) throws Exception {
        assertThat(run(Map.of("DOCA_EMULATOR_RELEASE", release), "append"))
                .containsExactly("2 bytes: ab", "4 bytes: abcd", "6 bytes: abcdef");
    }

    @ParameterizedTest
    @CsvSource({
        "3.0, 3.0.0058, 2.2, DOCA_EMULATOR_2_2",
        "2.2, 2.2.0080, 3.0, DOCA_2",
        "3.4, 3.4.0112, 3.0, DOCA_EMULATOR_3_0"
    })
    void aLibraryOfTheOtherGenerationIsNotLoaded(String release, String version, String other, String symbols)
            throws Exception {
        copy(release, "libdoca_common.so.2");
        copy(other, "libdoca_dma.so.2");
        String common = folder.resolve("libdoca_common.so.2").toString();
        String dma = folder.resolve("libdoca_dma.so.2").toString();

        assertThat(run(Map.of("DOCA_LIBRARY_PATH", folder.toString()), "dma"))
                .containsExactly(
                        "DocaFunctionException: doca_dma_create cannot be called: libdoca_dma could not be loaded beside"
                                + " libdoca_common of DOCA " + version + " (" + common + ").",
                        "  " + dma + " was refused by the loader: " + common + ": version `" + symbols
                                + "' not found (required by " + dma + ")",
                        "Install the package of that library, from the same release.");
    }

    @Test
    void aLibraryOfWorkQueuesThatLacksAFunctionIsRefused() throws Exception {
        copy("2.2", "libdoca_common.so.2");
        copy("2.2", "libdoca_dma.so.2");
        Path dma = folder.resolve("libdoca_dma.so.2");
        String bytes = Files.readString(dma, StandardCharsets.ISO_8859_1);
        Files.writeString(
                dma, bytes.replace("\0doca_dma_as_ctx\0", "\0doca_dma_no_ctx\0"), StandardCharsets.ISO_8859_1);

        assertThat(run(Map.of("DOCA_LIBRARY_PATH", folder.toString()), "dma"))
                .containsExactly("DocaFunctionException: doca_dma_create cannot be called: " + dma
                        + " of DOCA 2.2.0080 lacks 1 functions of its generation: doca_dma_as_ctx.");
    }

    private void copy(String release, String library) throws Exception {
        Path common = COMMON.get(release);
        if (common == null) {
            List<String> output = run(Map.of("DOCA_EMULATOR_RELEASE", release), "libraries");
            common = Path.of(output.getFirst());
            COMMON.put(release, common);
        }
        Files.copy(common.resolveSibling(library), folder.resolve(library));
    }

    private List<String> run(Map<String, String> environment, String command) throws InterruptedException {
        // The release of this process is cleared, as it must not be combined with a library path.
        PeerJvm peer = PeerJvm.create().environment(EmulatorEnvironment.RELEASE, "");
        environment.forEach(peer::environment);
        peer.without("logback").start(GenerationProbe.class, command, folder.toString());
        assertThat(peer.await()).as(peer.output()).isZero();
        return peer.output().lines().toList();
    }
}
