/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.ffi.DocaLibraryException;
import org.junit.jupiter.api.Test;

class CompletionModeTest {

    @Test
    void isNativeWhereNothingIsSaid() {
        assertThat(CompletionMode.preferred(null)).isEqualTo(CompletionMode.NATIVE);
    }

    @Test
    void isWhatTheSettingSays() {
        assertThat(CompletionMode.preferred("native")).isEqualTo(CompletionMode.NATIVE);
        assertThat(CompletionMode.preferred("upcall")).isEqualTo(CompletionMode.UPCALL);
    }

    @Test
    void refusesAnyOtherSetting() {
        assertThatExceptionOfType(DocaLibraryException.class)
                .isThrownBy(() -> CompletionMode.preferred("fast"))
                .withMessage("doca.completions=fast is no way to take completions: set it to native or upcall.");
    }
}
