/* SPDX-License-Identifier: Apache-2.0 */
/** A diagnosis of the DOCA installation, the machine and its devices: {@link io.docajava.core.doctor.Doctor}. */
@NullMarked
package io.docajava.core.doctor;

import org.jspecify.annotations.NullMarked;
