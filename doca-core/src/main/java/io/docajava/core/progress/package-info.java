/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Progress engines and loops, which deliver the completions of submitted work.
 *
 * <p>A {@link io.docajava.core.progress.ProgressEngine} belongs to the thread that created it, and delivers completions when that
 * thread calls it. A {@link io.docajava.core.progress.ProgressLoop} has a thread of its own and accepts work from all other
 * threads.
 */
@NullMarked
package io.docajava.core.progress;

import org.jspecify.annotations.NullMarked;
