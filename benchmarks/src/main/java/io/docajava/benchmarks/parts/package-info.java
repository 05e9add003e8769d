/* SPDX-License-Identifier: Apache-2.0 */
/** Parts around a copy: buffers, tasks, exports and imports of memory, devices. */
@NullMarked
package io.docajava.benchmarks.parts;

import org.jspecify.annotations.NullMarked;
