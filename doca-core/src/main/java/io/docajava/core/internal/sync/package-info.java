/* SPDX-License-Identifier: Apache-2.0 */
/** The implementation of sync events. */
@NullMarked
package io.docajava.core.internal.sync;

import org.jspecify.annotations.NullMarked;
