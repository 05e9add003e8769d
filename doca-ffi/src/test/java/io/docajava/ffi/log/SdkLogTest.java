/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.testing.ChildJvm;
import io.docajava.ffi.testing.FakeSdk;
import io.docajava.ffi.testing.SdkLogProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the log of the SDK. A process can take it over only once, so each test runs in a separate JVM. */
@Execution(ExecutionMode.CONCURRENT)
class SdkLogTest {

    private static final String NAME = "doca_log_backend_create_with_buf_sdk";
    private static final String NAME_IN_2_5 = "doca_log_backend_create_with_buffer_sdk";

    /** The libraries by their function and its result. Each is compiled once, as all JVMs can load the same file. */
    private static final Map<String, Path> LIBRARIES = new ConcurrentHashMap<>();

    @TempDir
    private static Path sdks;

    @TempDir
    private Path folder;

    private static ChildJvm child(String create, String result) {
        Path library = LIBRARIES.computeIfAbsent(create + "-" + result, name -> compile(name, create, result));
        return new ChildJvm().property("doca.library.path", library.resolveSibling(""));
    }

    private static Path compile(String name, String create, String result) {
        try {
            return new FakeSdk()
                    .version("3.0.0058")
                    .code(Files.readString(Path.of("src/test/c/fake_log.c")))
                    .options(
                            "-DCREATE_NAME=" + create,
                            "-DCREATE_RESULT=" + result,
                            "-DDOCA_ALLOW_EXPERIMENTAL_API",
                            "-Isrc/main/include",
                            "-pthread")
                    .compile(sdks.resolve(name).resolve("libdoca_common.so.2"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String runWith(String create, String result, String... requests) {
        return child(create, result).run(SdkLogProbe.class, requests);
    }

    private static String run(String... requests) {
        return runWith(NAME, "DOCA_SUCCESS", requests);
    }

    @Test
    void recordsOfEveryThreadArriveInOrder() {
        assertThat(run("install 40", "log", "log-elsewhere", "log")).isEqualTo("""
                        30 [DOCA][ERR] from the calling thread at 40 of 50
                        elsewhere: 30 [DOCA][ERR] from another thread at 40 of 50
                        30 [DOCA][ERR] from the calling thread at 40 of 50
                        """);
    }

    @Test
    void theLevelCanBeChangedAndTheProcessesOwnLimitFollowsUpwards() {
        assertThat(run("install 20", "log", "level 60", "log", "level 30", "log", "level 10", "log"))
                .isEqualTo("""
                        30 [DOCA][ERR] from the calling thread at 60 of 60
                        30 [DOCA][ERR] from the calling thread at 30 of 60
                        """);
    }

    @Test
    void theErrorsOfAThreadAreKeptAtAnyLevelUntilTheyAreTakenOrForgotten() {
        assertThat(run(
                        "take",
                        "forget",
                        "install 10",
                        "take",
                        "log",
                        "log",
                        "log-elsewhere",
                        "take",
                        "take",
                        "log",
                        "forget",
                        "take"))
                .isEqualTo("""
                        errors: []
                        errors: []
                        errors: [[DOCA][ERR] from the calling thread at 30 of 50
                        , [DOCA][ERR] from the calling thread at 30 of 50
                        ]
                        errors: []
                        errors: []
                        """);
    }

    @Test
    void recordsSayThatTheyWereExpected() {
        assertThat(run("expect 1", "install 40", "expect 1", "log", "log-elsewhere", "expect 1", "expect 0", "log"))
                .isEqualTo("""
                        expected before: false
                        expected before: false
                        expected: 30 [DOCA][ERR] from the calling thread at 40 of 50
                        elsewhere: 30 [DOCA][ERR] from another thread at 40 of 50
                        expected before: true
                        expected before: true
                        30 [DOCA][ERR] from the calling thread at 40 of 50
                        """);
    }

    /** A native image runs other code in this thread. GraalVM identifies images by this property. */
    @Test
    void aNativeImageHasTheSameRecords() {
        String records = "30 [DOCA][ERR] from the calling thread at 40 of 50\n";
        String property = "org.graalvm.nativeimage.imagecode";
        assertThat(child(NAME, "DOCA_SUCCESS")
                        .property(property, "runtime")
                        .run(SdkLogProbe.class, "install 40", "log", "uninstall", "threads", "install 40", "log"))
                .isEqualTo(run("install 40", "log", "uninstall", "threads", "install 40", "log"))
                .startsWith(records);
        assertThat(child(NAME, "DOCA_SUCCESS")
                        .property(property, "runtime")
                        .run(SdkLogProbe.class, "install 40", "log-and-exit"))
                .isEqualTo(records);
    }

    @Test
    void doca25HasTheSameUnderAnotherName() {
        assertThat(runWith(NAME_IN_2_5, "DOCA_SUCCESS", "install 50", "log"))
                .isEqualTo("30 [DOCA][ERR] from the calling thread at 50 of 50\n");
    }

    @Test
    void aSinkThatThrowsDoesNotAffectOthers() {
        assertThat(run("install-thrower 50", "log", "log-elsewhere"))
                .contains(
                        "30 [DOCA][ERR] from the calling thread at 50 of 50\n",
                        "elsewhere: 30 [DOCA][ERR] from another thread at 50 of 50\n")
                .contains(
                        "WARNING: A record of the SDK's log could not be handled\njava.lang.AssertionError: the sink is broken");
    }

    @Test
    void theLastRecordsArriveBeforeTheJvmExits() {
        assertThat(run("install 40", "log-and-exit")).isEqualTo("30 [DOCA][ERR] from the calling thread at 40 of 50\n");
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theJvmExitsWhileALibraryWaitsForAThreadThatHasLogged() {
        assertThat(run("install 40", "log-on-worker", "log-and-exit")).isEqualTo("""
                        30 [DOCA][ERR] from the worker at 40 of 50
                        30 [DOCA][ERR] from the calling thread at 40 of 50
                        """);
    }

    @Test
    void threadsOfALibraryMayLogWhileTheHeapIsFull() {
        assertThat(child(NAME, "DOCA_SUCCESS")
                        .option("-Xmx16m")
                        .run(SdkLogProbe.class, "install 40", "log-elsewhere", "log-without-memory"))
                .startsWith("elsewhere: 30 [DOCA][ERR] from another thread at 40 of 50\n")
                .contains("\n30 [DOCA][ERR] from the calling thread at 40 of 50\n");
    }

    @Test
    void aFullHeapDoesNotEndTheThreadBeforeItsFirstRecord() {
        assertThat(child(NAME, "DOCA_SUCCESS")
                        .option("-Xmx16m")
                        .run(SdkLogProbe.class, "log-elsewhere-unheard", "install 40", "log-without-memory"))
                .endsWith("30 [DOCA][ERR] from the calling thread at 40 of 50\n");
    }

    @Test
    void withoutTheHelperThereIsNoLog() throws IOException {
        Path noFolder = Files.createFile(folder.resolve("file"));
        assertThat(child(NAME, "DOCA_SUCCESS")
                        .property("java.io.tmpdir", noFolder)
                        .property("user.home", noFolder)
                        .variable("XDG_CACHE_HOME", "")
                        .run(SdkLogProbe.class, "install 40", "take", "expect 1", "forget"))
                .contains("Completions use upcalls, which are slower, and the SDK's log is not available.")
                .contains("DocaLibraryException: The bundled libdocajava.so cannot be used: ")
                .endsWith("errors: []\nexpected before: false\n");
    }

    @Test
    void isTakenOnce() {
        assertThat(run("level 50", "install 50", "install 50")).isEqualTo("""
                IllegalStateException: The SDK's log has no sink
                IllegalStateException: The SDK's log has a sink already
                """);
    }

    @Test
    void isGivenBackAndTakenAgain() {
        assertThat(run(
                        "install 40",
                        "log-unheard",
                        "uninstall",
                        "threads",
                        "uninstall",
                        "log-unheard",
                        "take",
                        "level 50",
                        "install 50",
                        "threads",
                        "log",
                        "uninstall",
                        "install-thrower 10",
                        "log"))
                .isEqualTo("""
                        30 [DOCA][ERR] from the calling thread at 40 of 50
                        readers: 0
                        errors: [[DOCA][ERR] from the calling thread at 40 of 50
                        , [DOCA][ERR] from the calling thread at 40 of 50
                        ]
                        IllegalStateException: The SDK's log has no sink
                        readers: 1
                        30 [DOCA][ERR] from the calling thread at 50 of 50
                        """);
    }

    @Test
    void saysThatTheSdkRefused() {
        assertThat(runWith(NAME, "DOCA_ERROR_NO_MEMORY", "install 50", "install 50"))
                .isEqualTo(
                        "RefusedException: The SDK's log cannot be redirected: doca_log_backend_create_with_buf_sdk failed with DOCA error 7\n"
                                .repeat(2));
    }

    @Test
    void saysWhichFunctionIsMissing() {
        assertThat(runWith("not_the_name", "DOCA_SUCCESS", "install 50"))
                .isEqualTo("""
                        DocaFunctionException: doca_log_backend_create_with_buf_sdk is not in libdoca_common of the loaded DOCA 3.0.0058 (%s); it came with DOCA 2.6.
                        """.formatted(LIBRARIES.get("not_the_name-DOCA_SUCCESS")));
    }
}
