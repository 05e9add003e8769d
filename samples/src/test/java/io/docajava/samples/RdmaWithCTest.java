/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Samples of RDMA with a program in C on the other side. */
class RdmaWithCTest {

    private static final String TEXT = "grüße over the network";

    @TempDir
    private static Path programs;

    private static CProgram peer;

    @TempDir
    private Path folder;

    private String ofJava;
    private String ofC;
    private String resource;

    @BeforeAll
    static void build() throws Exception {
        peer = CProgram.forDpu("rdma_peer", programs);
    }

    @BeforeEach
    void nameFiles() {
        ofJava = folder.resolve("java").toString();
        ofC = folder.resolve("c").toString();
        resource = folder.resolve("resource").toString();
    }

    private RunningProgram startC(String role, String text) throws Exception {
        RunningProgram program = peer.start(role, "03:00.1", text, ofC, ofJava, resource);
        program.awaitOut("exported");
        return program;
    }

    private RunningProgram startJava(String... arguments) throws Exception {
        String[] all = new String[arguments.length + 8];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        String[] files = {"-d", "mlx5_0", "-ld", ofJava, "-re", ofC, "-m", resource};
        System.arraycopy(files, 0, all, arguments.length, files.length);
        RunningProgram program = SampleProcess.onEmulator().start(all);
        program.awaitOut("press enter");
        return program;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rdma_send            | -s | receive     | receiving
            rdma_write_requester | -w | serve_write | serving
            """)
    void aProgramInCGetsATextFromJava(String sample, String flag, String role, String ready) throws Exception {
        try (RunningProgram c = startC(role, "");
                RunningProgram java = startJava(sample, flag, TEXT)) {
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
        try (RunningProgram java = startJava(sample);
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

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void eachReadsTheMemoryOfTheOther(boolean javaReads) throws Exception {
        try (RunningProgram java =
                        javaReads ? startJava("rdma_read_requester") : startJava("rdma_read_responder", "-r", TEXT);
                RunningProgram c = startC(javaReads ? "serve_read" : "read", javaReads ? TEXT : "")) {
            RunningProgram server = javaReads ? c : java;
            RunningProgram reader = javaReads ? java : c;
            server.type("\n");
            server.awaitOut(javaReads ? "serving" : "Wait till the requester");
            reader.type("\n");
            Result read = reader.end();
            server.type("\n");

            assertThat(String.join("\n", read.out())).contains(TEXT);
            assertThat(read.exitCode()).isZero();
            assertThat(server.end().exitCode()).isZero();
        }
    }
}
