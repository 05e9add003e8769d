/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.rdma.NeedsEmulator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Releases whose RDMA contexts have one connection, which a translation in C stands before. */
@Timeout(60)
@NeedsEmulator
class OneConnectionReleaseTest {

    private static final String VERSION = """
            const char *doca_version_runtime(void) { return "2.5.0108"; }
            int doca_devinfo_create_list(void) { return 0; }
            """;

    @TempDir
    private Path folder;

    @Test
    void isTranslated() throws Exception {
        Path main = Files.writeString(folder.resolve("version.c"), VERSION);
        Path sources = Path.of(System.getProperty("basedir", "."), "..", "doca-compat", "src");
        for (String library : List.of("common", "rdma")) {
            List<String> command = new ArrayList<>(List.of("gcc", "-std=c11", "-D_GNU_SOURCE", "-shared", "-fPIC"));
            command.addAll(List.of("-DDOCA_ALLOW_EXPERIMENTAL_API", "-Wl,-Bsymbolic"));
            command.add("-Wl,-soname,libdoca_" + library + ".so.2");
            command.addAll(List.of("-I", sources.resolve("main/c/connections").toString()));
            command.addAll(List.of(
                    "-I", sources.resolve("../../doca-ffi/src/main/include").toString()));
            command.addAll(
                    List.of("-o", folder.resolve("libdoca_" + library + ".so.2").toString()));
            command.add(sources.resolve("test/c/connections_double.c").toString());
            command.add(sources.resolve("test/c/connections_rest.c").toString());
            command.add(main.toString());
            assertThat(run(new ProcessBuilder(command))).isEmpty();
        }
        ProcessBuilder probe = TestJvm.of(OneConnectionReleaseTest.class);
        probe.command().add(probe.command().indexOf("-cp"), "-Ddoca.backend=sdk");
        probe.environment().put("DOCA_LIBRARY_PATH", folder.toString());

        assertThat(run(probe)).isEqualTo("""
                        2.5.0108 by libdocajava_rdma_connections.so
                        can export and progress: true
                        doca_rdma_connect_to_addr is not in libdoca_rdma of the loaded DOCA 2.5.0108 (%s); it came with DOCA 2.9.
                        """.formatted(folder.resolve("libdoca_rdma.so.2")));
    }

    private static String run(ProcessBuilder builder) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** Tells what the libraries can do. */
    public static void main(String[] arguments) {
        DocaLibrary library = DocaLibrary.load();
        Path translation = Path.of(library.translationPath().orElseThrow());
        System.out.println(library.version() + " by " + translation.getFileName());
        System.out.println("can export and progress: "
                + (library.has("doca_rdma_export")
                        && library.has("doca_pe_progress")
                        && library.has("doca_devinfo_create_list")));
        try {
            library.require("doca_rdma_connect_to_addr");
        } catch (DocaFunctionException e) {
            System.out.println(e.getMessage());
        }
    }
}
