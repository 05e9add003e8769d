/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.ffi.completion.CompletionMode;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that have to pass with both ways for completions to come from native code to Java. */
@ParameterizedClass
@EnumSource(CompletionMode.class)
abstract class CompletionModes {

    private static final String PROPERTY = "doca.completions";

    /** Set by JUnit before each test. */
    @Parameter
    CompletionMode mode = CompletionMode.NATIVE;

    @BeforeEach
    void setMode() {
        System.setProperty(PROPERTY, mode.name().toLowerCase(Locale.ROOT));
    }

    @AfterEach
    void clearMode() {
        System.clearProperty(PROPERTY);
    }
}
