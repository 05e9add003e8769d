/* SPDX-License-Identifier: Apache-2.0 */
/** The internal state of sync events, which other modules use. */
@NullMarked
package io.docajava.core.internal.sync;

import org.jspecify.annotations.NullMarked;
