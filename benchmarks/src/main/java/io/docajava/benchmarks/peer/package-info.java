/* SPDX-License-Identifier: Apache-2.0 */
/** What a Java user would write without doca-java. */
@NullMarked
package io.docajava.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
