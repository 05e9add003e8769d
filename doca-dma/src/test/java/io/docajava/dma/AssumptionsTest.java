/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.PeerJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests libraries of release 1.4 whose jobs and events differ from what is assumed of that release. */
@Timeout(600)
@DocaEmulator
class AssumptionsTest {

    /** Changes jobs before the library gets them, and events before the program gets them. */
    private static final String FRONT = """
            #include <dlfcn.h>

            struct job { int type, flags; void *ctx, *user_data, *dst, *src; unsigned long length; };
            struct event { int type; void *user_data, *result; };

            int doca_workq_submit(void *workq, const struct job *job) {
                int (*real)(void *, const struct job *);
                struct job passed = *job;
                *(void **)&real = dlsym(RTLD_NEXT, "doca_workq_submit");
                CHANGE_JOB;
                return real(workq, &passed);
            }

            int doca_workq_progress_retrieve(void *workq, struct event *event, int flags) {
                int (*real)(void *, struct event *, int);
                struct event got;
                *(void **)&real = dlsym(RTLD_NEXT, "doca_workq_progress_retrieve");
                int result = real(workq, &got, flags);
                if (result == 0) {
                    CHANGE_EVENT;
                    *event = got;
                }
                return result;
            }
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "passed.length = 64, '', other bytes are copied",
        "if (job->type != 65538) return 4, '', the job is refused",
        "'', got.type = 65538, the event has other contents",
        "'', got.result = got.user_data, the event has other contents"
    })
    void aLibraryThatDiffersIsRefused(String job, String event, String difference) throws Exception {
        Path common = Path.of(run("libraries", PeerJvm.create().environment(EmulatorEnvironment.RELEASE, "1.4"))
                .getFirst());
        new AlteredSdk(folder, common, "common", "dma")
                .inFrontOf("common", FRONT.replace("CHANGE_JOB", job).replace("CHANGE_EVENT", event));

        PeerJvm altered =
                PeerJvm.create().environment(EmulatorEnvironment.RELEASE, "").options("-Ddoca.library.path=" + folder);
        assertThat(run("dma", altered))
                .last()
                .asString()
                .endsWith(
                        "doca_dma_create failed with DOCA_ERROR_NOT_SUPPORTED (Operation not supported): DMA cannot be used:"
                                + " this library differs from what is known of DOCA 1.4: " + difference
                                + " when 24 bytes are copied");
    }

    private List<String> run(String command, PeerJvm peer) throws InterruptedException {
        peer.without("logback").start(GenerationProbe.class, command, folder.toString());
        assertThat(peer.await()).as(peer.output()).isZero();
        return peer.output().lines().toList();
    }
}
