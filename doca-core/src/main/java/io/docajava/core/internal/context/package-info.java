/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of engines, contexts and tasks. For the modules of doca-java only. */
@NullMarked
package io.docajava.core.internal.context;

import org.jspecify.annotations.NullMarked;
