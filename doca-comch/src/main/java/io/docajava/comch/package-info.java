/* SPDX-License-Identifier: Apache-2.0 */
/** Comm channels between a host and its DPU: {@link io.docajava.comch.CommServer} and {@link io.docajava.comch.CommClient}. */
@NullMarked
package io.docajava.comch;

import org.jspecify.annotations.NullMarked;
