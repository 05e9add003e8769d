/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.docajava.samples.SampleProcess.Result;
import io.docajava.testing.TestJvm;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {

    @TempDir
    private Path folder;

    @Test
    void reportsThatAllCanRun() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("doctor");

        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .startsWith("Libraries", "  back end              emulator", "  version               3.0.0058")
                .contains("  side                  DPU", "  0000:03:00.0 (mlx5_2)")
                .containsSequence(
                        "Result",
                        "  DMA                   can run",
                        "  RDMA                  can run",
                        "  comm channels         can run",
                        "  graphs                can run",
                        "  sync events           can run")
                .containsSequence(
                        "    comm channels       yes", "      servers           yes", "      clients           no")
                .endsWith("Problems", "  none");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void knowsAllFeaturesWhereJarsWereMergedAndTheFirstListOfServicesWasKept() throws Exception {
        Path jar = mergedJar();
        List<String> command = TestJvm.command();
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Ddoca.backend=emulator"));
        command.addAll(List.of("-cp", jar.toString(), Launcher.class.getName(), "doctor", "--json"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Map<String, Object> root = JSON.std.mapFrom(process.getInputStream());

        assertThat(root.get("canRun"))
                .isEqualTo(
                        Map.of("DMA", true, "RDMA", true, "comm channels", true, "graphs", true, "sync events", true));
        assertThat(root.get("problems")).isEqualTo(List.of());
    }

    /** Merges all jars of the module path into one. Of files with the same name it keeps the first. */
    private Path mergedJar() throws IOException {
        Path jar = folder.resolve("merged.jar");
        Set<String> names = new HashSet<>();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String entry : System.getProperty("samples.modulePath").split(":", -1)) {
                try (FileSystem opened =
                        Files.isDirectory(Path.of(entry)) ? null : FileSystems.newFileSystem(Path.of(entry))) {
                    Path root = opened == null ? Path.of(entry) : opened.getPath("/");
                    try (Stream<Path> files = Files.walk(root)) {
                        for (Path file : files.filter(Files::isRegularFile).toList()) {
                            String name = root.relativize(file).toString();
                            if (names.add(name)) {
                                out.putNextEntry(new JarEntry(name));
                                Files.copy(file, out);
                            }
                        }
                    }
                }
            }
        }
        return jar;
    }

    @Test
    void reportsAsJson() throws Exception {
        Result result = SampleProcess.onHost().runShared("doctor", "--json");

        Map<String, Object> root = JSON.std.mapFrom(String.join("\n", result.out()));
        assertThat(root).containsOnlyKeys("libraries", "machine", "devices", "canRun", "problems");
        assertThat((Map<?, ?>) root.get("machine"))
                .extracting("side", "nativeAccess")
                .containsExactly("host", true);
        assertThat(root.get("canRun"))
                .isEqualTo(
                        Map.of("DMA", true, "RDMA", true, "comm channels", true, "graphs", true, "sync events", true));
        assertThat(root.get("problems")).isEqualTo(List.of());
        assertThat((List<?>) root.get("devices"))
                .hasSize(5)
                .first()
                .extracting("pciAddress", "ibDevice")
                .containsExactly("0000:0b:00.0", "mlx5_0");
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"yes, no, 3, RDMA", "no, yes, 4, DMA"})
    void reportsWhichFeatureCannotRun(String dma, String rdma, int exitCode, String missing) throws Exception {
        Path topology = Files.writeString(
                folder.resolve("topology"), "[dpu mlx5_0]\npci = 03:00.0\ndma = " + dma + "\nrdma = " + rdma + "\n");

        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_TOPOLOGY", topology.toString())
                .runShared("doctor");

        assertThat(result.out())
                .containsSequence(
                        "Problems",
                        "  1. No device of this DPU has a representor of a function of the host.",
                        "     Next: Check that the host is on and its driver is loaded, and that \"devlink port show\" lists"
                                + " the host's functions; memory and events can be exchanged with the host only then.",
                        "  2. No device offers " + missing + ".",
                        "     Next: Run on a BlueField or on its host, and check that the card is not in NIC mode and that its"
                                + " firmware has not disabled the feature.");
        assertThat(result.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void reportsThatThereIsNoDevice() throws Exception {
        Path topology = Files.writeString(folder.resolve("topology"), "");

        Result result = SampleProcess.onEmulator()
                .with("DOCA_EMULATOR_TOPOLOGY", topology.toString())
                .runShared("doctor");

        assertThat(result.out())
                .contains("  side                  unknown, as there is no device")
                .endsWith(
                        "Problems",
                        "  1. There is no device.",
                        "     Next: Describe a device of this side in the topology file, or use the built-in topology.");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void reportsThatThereAreNoLibraries() throws Exception {
        Path missing = folder.resolve("missing");
        Result result = SampleProcess.onEmulator()
                .with("DOCA_LIBRARY_PATH", missing.toString())
                .run("doctor");

        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .contains(
                        "  back end              none",
                        "  1. No DOCA library could be loaded from the folder that DOCA_LIBRARY_PATH=" + missing
                                + " names.",
                        "       " + missing + " is not a folder");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void reportsThatOneLibraryIsMissing() throws Exception {
        Path sdk = Path.of(System.getProperty("samples.sdk"), "sdk", "lib");
        try (Stream<Path> files =
                Files.find(sdk, 2, (path, info) -> path.toString().endsWith(".so.2"))) {
            for (Path file :
                    files.filter(path -> !path.endsWith("libdoca_comch.so.2")).toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }

        Result result = SampleProcess.onWhatIsFound()
                .with("DOCA_LIBRARY_PATH", folder.toString())
                .run("doctor");

        assertThat(result.out())
                .contains(
                        "  DMA                   can run",
                        "  comm channels         cannot run",
                        "  graphs                can run",
                        "    comm channels       no")
                .containsSequence(
                        "Problems",
                        "  1. libdoca_comch could not be loaded beside libdoca_common of DOCA 3.0.0058 ("
                                + folder.resolve("libdoca_common.so.2") + ").")
                .endsWith(
                        "     Install the package of that library, from the same release.",
                        "     Next: Follow the last sentence above, or do without comm channels.");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void reportsThatNativeAccessIsDenied() throws Exception {
        Result result = SampleProcess.onEmulator().withoutNativeAccess().run("doctor");

        assertThat(result.out())
                .contains(
                        "  native access         not granted",
                        "     Next: Start it with --enable-native-access=io.docajava.ffi.");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void refusesOtherFlags() throws Exception {
        Result result = SampleProcess.onEmulator().runShared("doctor", "--log-level", "50");

        assertThat(result.err()).containsExactly("sample doctor: Unknown options: '--log-level', '50' (see --help)");
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
