/* SPDX-License-Identifier: Apache-2.0 */
/** Copies by the engine of a device, with each of the APIs and a constant number in flight. */
@NullMarked
package io.docajava.benchmarks.copy;

import org.jspecify.annotations.NullMarked;
