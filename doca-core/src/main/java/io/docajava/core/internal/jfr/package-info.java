/* SPDX-License-Identifier: Apache-2.0 */
/** Events of JDK Flight Recorder, in the category DOCA. */
@NullMarked
package io.docajava.core.internal.jfr;

import org.jspecify.annotations.NullMarked;
