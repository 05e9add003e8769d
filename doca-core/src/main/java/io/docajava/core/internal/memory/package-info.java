/* SPDX-License-Identifier: Apache-2.0 */
/** Memory maps and buffers as the contexts see them. */
@NullMarked
package io.docajava.core.internal.memory;

import org.jspecify.annotations.NullMarked;
