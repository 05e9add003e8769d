/* SPDX-License-Identifier: Apache-2.0 */
/** Rules, conditions, waits and commands that the tests of several modules share. */
@NullMarked
package io.docajava.testing;

import org.jspecify.annotations.NullMarked;
