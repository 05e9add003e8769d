/* SPDX-License-Identifier: Apache-2.0 */
/** Code as a Java user would write it without doca-java. */
@NullMarked
package io.docajava.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
