/* SPDX-License-Identifier: Apache-2.0 */
/** What doca-comch gives to doca-core. */
@NullMarked
package io.docajava.comch.internal;

import org.jspecify.annotations.NullMarked;
