/* SPDX-License-Identifier: Apache-2.0 */
/** The devices and representors of this machine: listing, choosing and opening them. */
@NullMarked
package io.docajava.core.device;

import org.jspecify.annotations.NullMarked;
