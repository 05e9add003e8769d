/* SPDX-License-Identifier: Apache-2.0 */
/** The acceptance run: everything that can be tried on a card, with one report. */
@NullMarked
package io.docajava.samples.acceptance;

import org.jspecify.annotations.NullMarked;
