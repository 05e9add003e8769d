/* SPDX-License-Identifier: Apache-2.0 */
/** Unpacks the emulator's libraries from the jar. */
@NullMarked
package io.docajava.emulator.internal;

import org.jspecify.annotations.NullMarked;
