/* SPDX-License-Identifier: Apache-2.0 */
/** DMA copies by JNI, as one would write them without doca-java. */
@NullMarked
package io.docajava.benchmarks.peer.jni;

import org.jspecify.annotations.NullMarked;
