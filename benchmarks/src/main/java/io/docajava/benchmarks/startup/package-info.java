/* SPDX-License-Identifier: Apache-2.0 */
/** The time from the start of a JVM to its first copy. */
@NullMarked
package io.docajava.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
