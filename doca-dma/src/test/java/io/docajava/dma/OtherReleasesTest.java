/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.junit.DocaEmulator;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests SDKs that lack or refuse functions. */
@Timeout(600)
@DocaEmulator
class OtherReleasesTest {

    /** Notes submissions, and refuses some. */
    private static final String NOTES = """
            #include <dlfcn.h>
            #include <stdint.h>

            static int passes, refusals, error;
            static int noted[1000];
            static int count;

            void front_refuse(int after, int how_many, int with) {
                passes = after;
                refusals = how_many;
                error = with;
                count = 0;
            }

            int front_count(void) { return count; }
            int front_note(int index) { return noted[index]; }

            static int note(uint32_t flags) {
                if (passes == 0 && refusals > 0) {
                    refusals--;
                    return error;
                }
                passes -= passes > 0;
                noted[count++] = (int)flags;
                return 0;
            }

            """;

    /** Notes the flags of submissions. */
    private static final String SUBMISSIONS = NOTES + """
            static int submit(void *task, uint32_t flags) {
                int (*real)(void *, uint32_t);
                int result = note(flags);
                *(void **)&real = dlsym(RTLD_NEXT, "doca_task_submit_ex");
                return result == 0 ? real(task, flags) : result;
            }

            int doca_task_submit_ex(void *task, uint32_t flags) { return submit(task, flags); }
            int doca_task_submit(void *task) { return submit(task, 1); }

            void doca_ctx_flush_tasks(void *ctx) {
                void (*real)(void *);
                *(void **)&real = dlsym(RTLD_NEXT, "doca_ctx_flush_tasks");
                noted[count++] = -1;
                real(ctx);
            }
            """;

    /** The same for releases without flags. */
    private static final String PLAIN_SUBMISSIONS = NOTES + """
            int doca_task_submit(void *task) {
                int (*real)(void *);
                int result = note(1);
                *(void **)&real = dlsym(RTLD_NEXT, "doca_task_submit");
                return result == 0 ? real(task) : result;
            }
            """;

    /** Follows the header of DOCA 3.2. */
    private static final String ORDER_WHEN_RUNNING = """
            #include <dlfcn.h>
            #include <stdint.h>

            void *doca_dma_as_ctx(void *dma);
            int doca_ctx_get_state(void *ctx, int *state);
            static int calls;

            int front_calls(void) { return calls; }

            int doca_dma_set_ordered_completions(void *dma, uint8_t ordered) {
                int (*real)(void *, uint8_t);
                int state;
                *(void **)&real = dlsym(RTLD_NEXT, "doca_dma_set_ordered_completions");
                doca_ctx_get_state(doca_dma_as_ctx(dma), &state);
                calls++;
                return state == 2 ? real(dma, ordered) : 18;
            }
            """;

    @TempDir
    Path folder;

    @Test
    void operationsRefusedInABatchEnd() throws Exception {
        AlteredSdk sdk = new AlteredSdk(folder).inFrontOf("common", SUBMISSIONS);
        assertThat(sdk.run(RefusalProbe.class))
                .containsExactly(
                        "each: 0 0 0 0 -1",
                        "together: 2 2 2 0 -1",
                        "one: 1",
                        "none:",
                        "long: 31 x 2, 0 -1, 31 x 2, 0 -1, 5 x 2, 0 -1",
                        "awaited: 2 0 -1 2 0 -1",
                        "last, no room: 0 0 -1 1 -> 64 64 64, RUNNING",
                        "last, no room, together: 2 2 -1 1 -> 64 64 64, RUNNING",
                        "middle, no room: 0 -1 0 0 -1 1 -> 64 64 64 64, RUNNING",
                        "no room for more: failed by doca_task_submit_ex with AGAIN; 30 x 0, -1 0 0 -1 1 -> all copied: true",
                        "alone, no room: 1 -> ROOT_CAUSE AGAIN, RUNNING",
                        "last: 0 0 -1 -> 64 64 ROOT_CAUSE UNEXPECTED, RUNNING",
                        "last, together: 2 2 -1 -> 64 64 ROOT_CAUSE UNEXPECTED, RUNNING",
                        "middle: 2 0 -1 -> 64 ROOT_CAUSE UNEXPECTED 64, RUNNING",
                        "never any room: done done CANCELLED AGAIN, IDLE");
    }

    /** As in DOCA 2.5, or with the flags of DOCA 2.9, which are of no use without a flush: every task starts and is reported. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void operationsRefusedInABatchEndWithoutAFlush(boolean hasFlags) throws Exception {
        AlteredSdk sdk = new AlteredSdk(folder).without("common", "doca_ctx_flush_tasks");
        if (!hasFlags) {
            sdk.without("common", "doca_task_submit_ex");
        }
        sdk.inFrontOf("common", PLAIN_SUBMISSIONS);
        assertThat(sdk.run(RefusalProbe.class))
                .containsExactly(
                        "each: 1 1 1 1",
                        "together: 1 1 1 1",
                        "one: 1",
                        "none:",
                        "long: " + "1, ".repeat(69) + "1",
                        "awaited: 1 1 1 1",
                        "last, no room: 1 1 1 -> 64 64 64, RUNNING",
                        "last, no room, together: 1 1 1 -> 64 64 64, RUNNING",
                        "middle, no room: 1 1 1 1 -> 64 64 64 64, RUNNING",
                        "no room for more: failed by doca_task_submit with AGAIN; " + "1 ".repeat(32)
                                + "1 -> all copied: true",
                        "alone, no room: 1 -> ROOT_CAUSE AGAIN, RUNNING",
                        "last: 1 1 -> 64 64 ROOT_CAUSE UNEXPECTED, RUNNING",
                        "last, together: 1 1 -> 64 64 ROOT_CAUSE UNEXPECTED, RUNNING",
                        "middle: 1 1 -> 64 ROOT_CAUSE UNEXPECTED 64, RUNNING",
                        "never any room: done done CANCELLED AGAIN, IDLE");
    }

    @Test
    void oneWithoutFlagsAndOrderedCompletions() throws Exception {
        AlteredSdk sdk = new AlteredSdk(folder)
                .without("common", "doca_task_submit_ex")
                .without("common", "doca_ctx_flush_tasks")
                .without("dma", "doca_dma_set_ordered_completions");
        assertThat(sdk.run(GapsProbe.class))
                .containsExactly(
                        "EACH 64 64 64",
                        "TOGETHER 64 64 64",
                        "DocaFunctionException: doca_dma_set_ordered_completions is not in libdoca_dma of the loaded DOCA"
                                + " VERSION (" + folder.resolve("libdoca_dma.so.2") + "); it came with DOCA 3.2.",
                        "still usable: 64");
    }

    @Test
    void oneThatOrdersCompletionsWhileRunningOnly() throws Exception {
        Requirements.function("doca_dma_set_ordered_completions");
        AlteredSdk sdk = new AlteredSdk(folder).inFrontOf("dma", ORDER_WHEN_RUNNING);
        assertThat(sdk.run(OrderProbe.class)).containsExactly("in order", "in order", "3 calls");
    }
}
