/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Marks a test that needs the emulator: its faults, its environment, its topology, or its libraries as files to alter. Such a test
 * is skipped on an SDK ({@code -Dconformance.sdk}). A test that needs only a capability asks the device for it instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(named = "doca.backend", matches = "emulator", disabledReason = "needs the emulator")
public @interface NeedsEmulator {}
