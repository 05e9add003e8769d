/* SPDX-License-Identifier: Apache-2.0 */
/** The state of a context, its listeners, and the cause of its stop. For the modules of doca-java only. */
@NullMarked
package io.docajava.core.internal.state;

import org.jspecify.annotations.NullMarked;
