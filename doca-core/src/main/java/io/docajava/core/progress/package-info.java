/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Progress engines and loops, which deliver the completions of submitted work.
 *
 * <p>A {@link io.docajava.core.progress.ProgressEngine} belongs to the thread that created it and delivers when
 * that thread calls it. A {@link io.docajava.core.progress.ProgressLoop} owns such a thread and takes work from all others.
 */
@NullMarked
package io.docajava.core.progress;

import org.jspecify.annotations.NullMarked;
