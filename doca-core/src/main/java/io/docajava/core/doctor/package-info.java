/* SPDX-License-Identifier: Apache-2.0 */
/** What a user has to know when DOCA does not do what was expected: {@link io.docajava.core.doctor.Doctor}. */
@NullMarked
package io.docajava.core.doctor;

import org.jspecify.annotations.NullMarked;
