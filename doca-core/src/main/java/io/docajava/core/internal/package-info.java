/* SPDX-License-Identifier: Apache-2.0 */
/** Code that the modules of doca-java share; not exported to users. */
@NullMarked
package io.docajava.core.internal;

import org.jspecify.annotations.NullMarked;
