/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

/**
 * One slice in Java, and the slice in C that ran right before it.
 *
 * @param javaNanos the time of an operation in Java
 * @param cNanos the time of an operation in C; NaN without a twin
 * @param bytes the bytes that an operation in Java allocates on the heap; NaN if not counted
 */
public record Pair(double javaNanos, double cNanos, double bytes) {}
