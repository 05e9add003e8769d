/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.ffi.DocaLibraryException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {

    @ParameterizedTest
    @CsvSource({
        "amd64, x86_64, x86_64-linux-gnu, META-INF/native/linux-x86_64",
        "aarch64, aarch64, aarch64-linux-gnu, META-INF/native/linux-aarch64"
    })
    void knowsWhatDocaExistsFor(String architecture, String name, String multiarch, String resourceFolder) {
        Platform platform = Platform.of("Linux", architecture);

        assertThat(platform.name()).isEqualTo(name);
        assertThat(platform.multiarch()).isEqualTo(multiarch);
        assertThat(platform.resourceFolder()).isEqualTo(resourceFolder);
    }

    @ParameterizedTest
    @CsvSource({"Linux, riscv64", "Mac OS X, aarch64", "Windows 11, amd64"})
    void saysWhatDocaDoesNotExistFor(String system, String architecture) {
        assertThatExceptionOfType(DocaLibraryException.class)
                .isThrownBy(() -> Platform.of(system, architecture))
                .withMessage(
                        "DOCA exists for Linux on x86_64 and aarch64; this JVM runs on %s %s.", system, architecture);
    }
}
