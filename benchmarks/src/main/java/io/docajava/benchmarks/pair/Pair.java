/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

/**
 * One slice in Java, and the one in C that ran right before it.
 *
 * @param javaNanos the time of an operation in Java
 * @param cNanos the time of an operation in C; not a number where there is no twin
 * @param bytes what an operation in Java allocates on the heap; not a number where that was not counted
 */
public record Pair(double javaNanos, double cNanos, double bytes) {}
