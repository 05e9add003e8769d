/* SPDX-License-Identifier: Apache-2.0 */
/** Implementation of the progress engine: the native engine, its sleep, and the delivery of completions and events. For the modules of doca-java only. */
@NullMarked
package io.docajava.core.internal.engine;

import org.jspecify.annotations.NullMarked;
