/* SPDX-License-Identifier: Apache-2.0 */
/** What doca-dma gives to doca-core. */
@NullMarked
package io.docajava.dma.internal;

import org.jspecify.annotations.NullMarked;
