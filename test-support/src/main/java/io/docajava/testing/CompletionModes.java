/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The base class of tests that run in both completion modes. */
@ParameterizedClass
@ValueSource(strings = {"native", "upcall"})
public abstract class CompletionModes {

    private static final String PROPERTY = "doca.completions";

    @Parameter
    private String mode = "native";

    /** Called by the constructors of subclasses. */
    protected CompletionModes() {}

    @BeforeEach
    void setMode() {
        System.setProperty(PROPERTY, mode);
    }

    @AfterEach
    void clearMode() {
        System.clearProperty(PROPERTY);
    }
}
