/* SPDX-License-Identifier: Apache-2.0 */
/** Operations of contexts, from the submission to the completion. For the modules of doca-java only. */
@NullMarked
package io.docajava.core.internal.operation;

import org.jspecify.annotations.NullMarked;
