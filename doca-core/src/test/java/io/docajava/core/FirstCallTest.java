/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.InterruptedProbe;
import io.docajava.core.testing.OverflowProbe;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the first call of doca-java, on a full stack or an interrupted thread, does not prevent later calls. */
@NeedsEmulator
class FirstCallTest {

    @Test
    @Timeout(600)
    void doesNoHarmOnAFullStack() throws IOException, InterruptedException {
        // Without long stack traces, the overflows take less time.
        assertThat(new ChildJvm().option("-XX:MaxJavaStackTraceDepth=3").run(OverflowProbe.class))
                .filteredOn(line -> line.matches("[A-Za-z]+: .*"))
                .containsExactly(
                        "Load: works after overflows",
                        "GetLogLevel: works after overflows",
                        "ListDevices: works after overflows",
                        "CreateEngine: works after overflows",
                        "StartLoop: works after overflows",
                        "CreateMmapExport: works after overflows",
                        "ParseSyncEventExport: works after overflows",
                        "ParseVersion: works after overflows",
                        "RegisterMemory: works after overflows",
                        "ExportMemory: works after overflows",
                        "ReadSyncEvent: works after overflows",
                        "AwaitSyncEvent: works after overflows",
                        "ExportSyncEvent: works after overflows");
    }

    @Test
    @Timeout(600)
    void worksOnAnInterruptedThread() throws IOException, InterruptedException {
        assertThat(new ChildJvm().run(InterruptedProbe.class)).contains("first: 4, still interrupted", "later: 4");
    }
}
