/* SPDX-License-Identifier: Apache-2.0 */
/** Types that all modules share: errors. */
@NullMarked
package io.docajava.core;

import org.jspecify.annotations.NullMarked;
