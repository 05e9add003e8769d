/* SPDX-License-Identifier: Apache-2.0 */
/** What other modules need to know of sync events. */
@NullMarked
package io.docajava.core.internal.sync;

import org.jspecify.annotations.NullMarked;
