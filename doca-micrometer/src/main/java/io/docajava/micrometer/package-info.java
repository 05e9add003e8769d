/* SPDX-License-Identifier: Apache-2.0 */
/** Meters of doca-java for Micrometer. */
@NullMarked
package io.docajava.micrometer;

import org.jspecify.annotations.NullMarked;
