/* SPDX-License-Identifier: Apache-2.0 */
/** Measures the cost of doca-java compared with C. On the emulator it measures doca-java and the emulator, not a device. */
@NullMarked
package io.docajava.benchmarks;

import org.jspecify.annotations.NullMarked;
