/* SPDX-License-Identifier: Apache-2.0 */
/** The devices of this machine: what there are, what they are, and opening one. */
@NullMarked
package io.docajava.core.device;

import org.jspecify.annotations.NullMarked;
