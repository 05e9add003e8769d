/* SPDX-License-Identifier: Apache-2.0 */
/** Services of doca-comch for doca-core. */
@NullMarked
package io.docajava.comch.internal;

import org.jspecify.annotations.NullMarked;
