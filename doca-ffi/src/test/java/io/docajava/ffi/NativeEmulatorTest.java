/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.testing.ChildJvm;
import io.docajava.ffi.testing.FakeSdk;
import io.docajava.ffi.testing.LoadingProbe;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeEmulatorTest {

    @TempDir
    private Path folder;

    private Path common() {
        return folder.resolve("libdoca_common.so.2");
    }

    private String set(String... requests) {
        return new ChildJvm().property("doca.library.path", folder).run(LoadingProbe.class, requests);
    }

    @Test
    void theSdkHasNone() {
        FakeSdk.common("3.0.0058").compile(common());

        assertThat(set("faults delay=1"))
                .isEqualTo("IllegalStateException: Only the emulator can inject faults, and the loaded DOCA 3.0.0058 ("
                        + common() + ") is the SDK\n");
    }

    @Test
    void anEmulatorMayBeTooOld() {
        FakeSdk.common("3.0.0058").functions("doca_emulator_version").compile(common());

        assertThat(set("faults delay=1"))
                .isEqualTo("IllegalStateException: The emulator that is loaded, DOCA 3.0.0058 (" + common()
                        + "), is too old to inject faults\n");
    }

    @Test
    void theTextIsForTheEmulatorToJudge() {
        FakeSdk.common("3.0.0058")
                .functions("doca_emulator_version")
                .code("int doca_emulator_set_faults(const char *text) { return *text == 0 || *text == 'd' ? 0 : 6; }")
                .compile(common());

        assertThat(set("faults delay=1", "faults", "faults x=1"))
                .isEqualTo(
                        "set\nset\nIllegalArgumentException: The emulator refuses the faults \"x=1\" with DOCA error 6\n");
    }
}
