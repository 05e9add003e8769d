/* SPDX-License-Identifier: Apache-2.0 */
/** The emulator of DOCA: its settings, and faults to inject in tests. */
@NullMarked
package io.docajava.emulator;

import org.jspecify.annotations.NullMarked;
