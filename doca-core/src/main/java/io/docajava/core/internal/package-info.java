/* SPDX-License-Identifier: Apache-2.0 */
/** What the modules of doca-java share and users do not see. */
@NullMarked
package io.docajava.core.internal;

import org.jspecify.annotations.NullMarked;
