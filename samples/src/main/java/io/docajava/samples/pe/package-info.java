/* SPDX-License-Identifier: Apache-2.0 */
/** The samples of the progress engine, each one way to let copies complete. None takes flags of its own. */
@NullMarked
package io.docajava.samples.pe;

import org.jspecify.annotations.NullMarked;
