/* SPDX-License-Identifier: Apache-2.0 */
/** JMH benchmarks. What they measure on the emulator is doca-java and the emulator, not a device. */
@NullMarked
package io.docajava.benchmarks;

import org.jspecify.annotations.NullMarked;
