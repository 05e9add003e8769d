/* SPDX-License-Identifier: Apache-2.0 */
/** How the emulator's libraries come out of the jar. */
@NullMarked
package io.docajava.emulator.internal;

import org.jspecify.annotations.NullMarked;
