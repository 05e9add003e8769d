/* SPDX-License-Identifier: Apache-2.0 */
/** The software DOCA for Java programs: where its libraries are and how it is set up. */
@NullMarked
package io.docajava.emulator;

import org.jspecify.annotations.NullMarked;
