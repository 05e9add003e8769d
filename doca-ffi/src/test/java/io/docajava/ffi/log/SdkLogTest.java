/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.testing.ChildJvm;
import io.docajava.ffi.testing.FakeSdk;
import io.docajava.ffi.testing.SdkLogProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The log of a process is taken once, so each time in a JVM of its own. */
@Execution(ExecutionMode.CONCURRENT)
class SdkLogTest {

    private static final String NAME = "doca_log_backend_create_with_buf_sdk";
    private static final String NAME_IN_2_5 = "doca_log_backend_create_with_buffer_sdk";

    @TempDir
    private Path folder;

    private String run(String create, String result, String... requests) throws IOException {
        new FakeSdk()
                .version("3.0.0058")
                .code(Files.readString(Path.of("src/test/c/fake_log.c")))
                .options(
                        "-DCREATE_NAME=" + create,
                        "-DCREATE_RESULT=" + result,
                        "-DDOCA_ALLOW_EXPERIMENTAL_API",
                        "-Isrc/main/include",
                        "-pthread")
                .compile(folder.resolve("libdoca_common.so.2"));
        return new ChildJvm().property("doca.library.path", folder).run(SdkLogProbe.class, requests);
    }

    @Test
    void recordsOfEveryThreadArriveAndNoneAfterTheJvmHasEnded() throws IOException {
        assertThat(run(NAME, "DOCA_SUCCESS", "install 40", "log", "log-elsewhere", "log"))
                .isEqualTo("""
                        [ERR] from the calling thread at 40 of 50
                        daemon [ERR] from another thread at 40 of 50
                        [ERR] from the calling thread at 40 of 50
                        """);
    }

    @Test
    void theLevelCanBeChangedAndTheProcessesOwnLimitFollowsUpwards() throws IOException {
        assertThat(run(
                        NAME,
                        "DOCA_SUCCESS",
                        "install 20",
                        "log",
                        "level 60",
                        "log",
                        "level 30",
                        "log",
                        "level 10",
                        "log"))
                .isEqualTo("""
                        [ERR] from the calling thread at 20 of 50
                        [ERR] from the calling thread at 60 of 60
                        [ERR] from the calling thread at 30 of 60
                        """);
    }

    @Test
    void doca25HasTheSameUnderAnotherName() throws IOException {
        assertThat(run(NAME_IN_2_5, "DOCA_SUCCESS", "install 50", "log"))
                .isEqualTo("[ERR] from the calling thread at 50 of 50\n");
    }

    @Test
    void aSinkThatThrowsHarmsNobody() throws IOException {
        assertThat(run(NAME, "DOCA_SUCCESS", "install-thrower 50", "log", "log-elsewhere"))
                .contains(
                        "[ERR] from the calling thread at 50 of 50\n", "daemon [ERR] from another thread at 50 of 50\n")
                .contains(
                        "WARNING: A record of the SDK's log could not be handled\njava.lang.AssertionError: the sink is broken");
    }

    @Test
    void isTakenOnce() throws IOException {
        assertThat(run(NAME, "DOCA_SUCCESS", "level 50", "install 50", "install 50"))
                .isEqualTo("""
                IllegalStateException: The SDK's log is not taken
                IllegalStateException: The SDK's log is taken already
                """);
    }

    @Test
    void saysThatTheSdkRefused() throws IOException {
        assertThat(run(NAME, "DOCA_ERROR_NO_MEMORY", "install 50", "install 50"))
                .isEqualTo("IllegalStateException: The SDK's log cannot be taken: DOCA error 7\n".repeat(2));
    }

    @Test
    void saysWhichFunctionIsMissing() throws IOException {
        assertThat(run("not_the_name", "DOCA_SUCCESS", "install 50"))
                .isEqualTo("""
                        DocaFunctionException: doca_log_backend_create_with_buf_sdk is not in libdoca_common of the loaded DOCA 3.0.0058 (%s); it came with DOCA 2.6.
                        """.formatted(folder.resolve("libdoca_common.so.2")));
    }
}
