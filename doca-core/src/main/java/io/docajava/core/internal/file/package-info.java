/* SPDX-License-Identifier: Apache-2.0 */
/** Files that carry secrets from one process to another. */
@NullMarked
package io.docajava.core.internal.file;

import org.jspecify.annotations.NullMarked;
