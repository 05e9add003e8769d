/* SPDX-License-Identifier: Apache-2.0 */
/** The launcher, and a class for each sample. */
@NullMarked
package io.docajava.samples;

import org.jspecify.annotations.NullMarked;
