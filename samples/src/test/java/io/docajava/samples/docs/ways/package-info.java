/* SPDX-License-Identifier: Apache-2.0 */
/** Traces the ways of operations through the files of doca-java. */
@NullMarked
package io.docajava.samples.docs.ways;

import org.jspecify.annotations.NullMarked;
