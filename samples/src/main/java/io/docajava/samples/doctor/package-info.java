/* SPDX-License-Identifier: Apache-2.0 */
/** The command that reports why DOCA does not run. */
@NullMarked
package io.docajava.samples.doctor;

import org.jspecify.annotations.NullMarked;
