/* SPDX-License-Identifier: Apache-2.0 */
/** DMA copies by JNI, written without doca-java. */
@NullMarked
package io.docajava.benchmarks.peer.jni;

import org.jspecify.annotations.NullMarked;
