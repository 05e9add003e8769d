/* SPDX-License-Identifier: Apache-2.0 */
/** What the tests have in common. */
@NullMarked
package io.docajava.core.testing;

import org.jspecify.annotations.NullMarked;
