/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of copies from and to the memory of other processes. */
@NullMarked
package io.docajava.dma.remote;

import org.jspecify.annotations.NullMarked;
