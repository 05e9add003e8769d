/* SPDX-License-Identifier: Apache-2.0 */
/** Utilities for the tests. */
@NullMarked
package io.docajava.core.testing;

import org.jspecify.annotations.NullMarked;
