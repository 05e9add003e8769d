/* SPDX-License-Identifier: Apache-2.0 */
/** Runs the same loop in C right before each measurement of Java, under the same conditions. */
@NullMarked
package io.docajava.benchmarks.pair;

import org.jspecify.annotations.NullMarked;
