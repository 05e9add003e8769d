/* SPDX-License-Identifier: Apache-2.0 */
/** The lifecycle of native objects: their states, their dependencies, their owning threads, and the detection of leaks. */
@NullMarked
package io.docajava.core.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
