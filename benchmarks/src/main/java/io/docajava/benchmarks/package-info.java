/* SPDX-License-Identifier: Apache-2.0 */
/** Measures what doca-java costs beside C. What it shows on the emulator is doca-java and the emulator, not a device. */
@NullMarked
package io.docajava.benchmarks;

import org.jspecify.annotations.NullMarked;
