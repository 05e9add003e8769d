/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests RDMA samples with a C program on the other side, both on libraries of the same release. */
@ParameterizedClass
@ValueSource(strings = {CProgram.NEWEST, "2.5"})
class RdmaWithCTest {

    private static final String TEXT = "grüße over the network";

    @TempDir
    private static Path programs;

    private static final Map<String, CProgram> PEERS = new HashMap<>();

    @TempDir
    private Path folder;

    private final String release;

    private String ofJava;
    private String ofC;
    private String resource;

    RdmaWithCTest(String release) {
        this.release = release;
    }

    @BeforeAll
    static void build() throws Exception {
        for (String release : List.of(CProgram.NEWEST, "2.5")) {
            PEERS.put(release, CProgram.forDpu("rdma_peer", programs, release));
        }
    }

    @BeforeEach
    void nameFiles() {
        ofJava = folder.resolve("java").toString();
        ofC = folder.resolve("c").toString();
        resource = folder.resolve("resource").toString();
    }

    private RunningProgram startC(String role, String text) throws Exception {
        RunningProgram program = requireNonNull(PEERS.get(release)).start(role, "03:00.1", text, ofC, ofJava, resource);
        program.awaitOut("exported");
        return program;
    }

    private SharedRun startJava(String... arguments) throws Exception {
        String[] all = new String[arguments.length + 8];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        String[] files = {"-d", "mlx5_0", "-ld", ofJava, "-re", ofC, "-m", resource};
        System.arraycopy(files, 0, all, arguments.length, files.length);
        return SampleProcess.onRelease(release).beginShared(all).awaitOut("press enter");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rdma_send            | -s | receive     | receiving
            rdma_write_requester | -w | serve_write | serving
            """)
    void aProgramInCGetsATextFromJava(String sample, String flag, String role, String ready) throws Exception {
        try (RunningProgram c = startC(role, "");
                SharedRun java = startJava(sample, flag, TEXT)) {
            c.type("\n");
            c.awaitOut(ready);
            java.type("\n");
            assertThat(java.end().exitCode()).isZero();
            if (role.startsWith("serve")) {
                c.type("\n");
            }

            Result result = c.end();
            assertThat(result.err()).isEmpty();
            assertThat(result.out()).containsExactly("exported", ready, TEXT, "ended");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rdma_receive         | send  | sent    | Submitting RDMA receive task | Got from sender: "%s"
            rdma_write_responder | write | written | Wait till the requester      | Requester has written: "%s"
            """)
    void javaGetsATextFromAProgramInC(String sample, String role, String done, String ready, String line)
            throws Exception {
        try (SharedRun java = startJava(sample);
                RunningProgram c = startC(role, TEXT)) {
            java.type("\n");
            java.awaitOut(ready);
            c.type("\n");
            c.awaitOut(done);
            assertThat(c.end().err()).isEmpty();
            if (sample.endsWith("responder")) {
                java.type("\n");
            }

            Result result = java.end();
            assertThat(result.errLog()).isEmpty();
            assertThat(result.outLog()).contains("INF " + line.formatted(TEXT)).endsWith(DmaLocalCopyTest.SUCCESS);
        }
    }

    @Test
    void javaReadsTheMemoryOfAProgramInC() throws Exception {
        try (SharedRun java = startJava("rdma_read_requester");
                RunningProgram c = startC("serve_read", TEXT)) {
            c.type("\n");
            c.awaitOut("serving");
            java.type("\n");
            Result read = java.end();
            c.type("\n");

            assertThat(read.outLog()).contains("INF Read from responder: \"" + TEXT + "\"");
            assertThat(read.exitCode()).isZero();
            assertThat(c.end().exitCode()).isZero();
        }
    }

    @Test
    void aProgramInCReadsTheMemoryOfJava() throws Exception {
        try (SharedRun java = startJava("rdma_read_responder", "-r", TEXT);
                RunningProgram c = startC("read", "")) {
            java.type("\n");
            java.awaitOut("Wait till the requester");
            c.type("\n");
            Result read = c.end();
            java.type("\n");

            assertThat(String.join("\n", read.out())).contains(TEXT);
            assertThat(read.exitCode()).isZero();
            assertThat(java.end().exitCode()).isZero();
        }
    }
}
