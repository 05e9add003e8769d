/* SPDX-License-Identifier: Apache-2.0 */
/** Memory that devices reach: memory maps, and buffers that point into them. */
@NullMarked
package io.docajava.core.memory;

import org.jspecify.annotations.NullMarked;
