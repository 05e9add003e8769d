/* SPDX-License-Identifier: Apache-2.0 */
/** The samples of the progress engine. Each shows one way to complete copies. They have only the standard flags. */
@NullMarked
package io.docajava.samples.pe;

import org.jspecify.annotations.NullMarked;
