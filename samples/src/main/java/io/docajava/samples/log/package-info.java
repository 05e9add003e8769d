/* SPDX-License-Identifier: Apache-2.0 */
/** The format and the levels of the log of DOCA programs. */
@NullMarked
package io.docajava.samples.log;

import org.jspecify.annotations.NullMarked;
