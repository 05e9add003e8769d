/* SPDX-License-Identifier: Apache-2.0 */
/** State of sync events for other modules. */
@NullMarked
package io.docajava.core.internal.sync;

import org.jspecify.annotations.NullMarked;
