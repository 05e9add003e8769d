/* SPDX-License-Identifier: Apache-2.0 */
/** Rules and conditions that the tests of several modules share. */
@NullMarked
package io.docajava.testing;

import org.jspecify.annotations.NullMarked;
