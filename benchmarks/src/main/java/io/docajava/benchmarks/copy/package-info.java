/* SPDX-License-Identifier: Apache-2.0 */
/** Copies by the engine of a device, with each of the APIs, a given number in flight all the time. */
@NullMarked
package io.docajava.benchmarks.copy;

import org.jspecify.annotations.NullMarked;
