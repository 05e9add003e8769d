/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.samples.SampleProcess.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code dma_copy_host} and {@code dma_copy_dpu}, each with a C program on the other side. */
class DmaRemoteCopyWithCTest {

    private static final String TEXT = "grüße over the bus";

    @TempDir
    private Path folder;

    private String descriptor;
    private String bufferInfo;

    @BeforeEach
    void nameFiles() {
        descriptor = folder.resolve("descriptor").toString();
        bufferInfo = folder.resolve("buffer-info").toString();
    }

    @Test
    void aDpuInCCopiesFromAHostInJava() throws Exception {
        CProgram importText = CProgram.forDpu("import_text", folder);
        try (RunningProgram host = SampleProcess.onHost()
                .start("dma_copy_host", "-p", "0b:00.0", "-t", TEXT, "-d", descriptor, "-b", bufferInfo)) {
            host.awaitOut("press enter");
            try (RunningProgram dpu = importText.start("03:00.0", descriptor, bufferInfo)) {
                Result copied = dpu.end();
                assertThat(copied.err()).isEmpty();
                assertThat(copied.out()).containsExactly("21 bytes: " + TEXT);
                assertThat(copied.exitCode()).isZero();
            }
            host.type("\n");

            assertThat(host.end().exitCode()).isZero();
        }
    }

    @Test
    void aDpuInJavaCopiesFromAHostInC() throws Exception {
        CProgram exportText = CProgram.forHost("export_text", folder);
        try (RunningProgram host = exportText.start("0b:00.0", TEXT, descriptor, bufferInfo)) {
            host.awaitOut("exported");

            Result dpu = SampleProcess.onEmulator()
                    .runShared("dma_copy_dpu", "-d", descriptor, "-b", bufferInfo, "-ns", "2", "-nd", "3");
            assertThat(dpu.errLog()).isEmpty();
            assertThat(dpu.outLog()).contains("INF Memory content: " + TEXT).endsWith(DmaLocalCopyTest.SUCCESS);
            assertThat(dpu.exitCode()).isZero();
            host.type("\n");

            assertThat(host.end().out()).containsExactly("exported", "closed");
        }
    }
}
