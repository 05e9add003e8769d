/* SPDX-License-Identifier: Apache-2.0 */
/** Rules, conditions and waits that the tests of several modules share. */
@NullMarked
package io.docajava.testing;

import org.jspecify.annotations.NullMarked;
