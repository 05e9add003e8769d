/* SPDX-License-Identifier: Apache-2.0 */
/** The implementation of devices and representors. */
@NullMarked
package io.docajava.core.internal.device;

import org.jspecify.annotations.NullMarked;
