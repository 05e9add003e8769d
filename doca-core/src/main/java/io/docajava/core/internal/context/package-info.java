/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of contexts: brings the state and the operations of each together. For the modules of doca-java only. */
@NullMarked
package io.docajava.core.internal.context;

import org.jspecify.annotations.NullMarked;
