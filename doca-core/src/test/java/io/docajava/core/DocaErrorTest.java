/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.NativeMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocaErrorTest {

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNRECOGNIZED")
    void hasTheNumberAndTheNameOfTheSdk(DocaError error) {
        assertThat(DocaError.of(error.code())).isSameAs(error);
        String name =
                NativeMemory.string(DocaCommon.doca_error_get_name(error.code()).address());
        assumeFalse(name.equals("Unrecognized error code"), "the SDK has no DOCA_ERROR_" + error);
        assertThat(name).isEqualTo(error == DocaError.SUCCESS ? "DOCA_SUCCESS" : "DOCA_ERROR_" + error);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 32, 1000, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void recognizesNoOtherNumbers(int code) {
        assertThat(DocaError.of(code)).isSameAs(DocaError.UNRECOGNIZED);
    }

    @Test
    void knowsAllNumbersOfTheHeaders() {
        assertThat(DocaCommon.DOCA_ERROR_SKIPPED()).isEqualTo(DocaError.SKIPPED.code());
        assertThat(DocaCommon.DOCA_ERROR_DEVICE_FATAL_ERROR()).isEqualTo(DocaError.DEVICE_FATAL_ERROR.code());
        assertThat(DocaError.values()).hasSize(DocaCommon.DOCA_ERROR_DEVICE_FATAL_ERROR() + 2);
    }

    @Test
    void namesTheErrorOfNewerReleases() {
        assertThat(DocaError.of(31)).isSameAs(DocaError.DEVICE_FATAL_ERROR);
    }
}
