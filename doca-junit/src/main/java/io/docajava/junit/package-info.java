/* SPDX-License-Identifier: Apache-2.0 */
/** An extension of JUnit 5 for tests that use DOCA; begin with {@link io.docajava.junit.DocaEmulator}. */
@NullMarked
package io.docajava.junit;

import org.jspecify.annotations.NullMarked;
