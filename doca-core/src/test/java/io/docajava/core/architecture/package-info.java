/* SPDX-License-Identifier: Apache-2.0 */
/** Tests design rules that the compiler does not check. */
@NullMarked
package io.docajava.core.architecture;

import org.jspecify.annotations.NullMarked;
