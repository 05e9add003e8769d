/* SPDX-License-Identifier: Apache-2.0 */
/** Commands about tasks that Java collects and native code carries out in few calls. */
@NullMarked
package io.docajava.ffi.submission;

import org.jspecify.annotations.NullMarked;
