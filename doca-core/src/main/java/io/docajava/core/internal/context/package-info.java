/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of contexts: combines the state and the operations of each. For the modules of doca-java only. */
@NullMarked
package io.docajava.core.internal.context;

import org.jspecify.annotations.NullMarked;
