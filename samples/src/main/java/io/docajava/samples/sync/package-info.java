/* SPDX-License-Identifier: Apache-2.0 */
/** The samples of sync events that a host and its DPU share. */
@NullMarked
package io.docajava.samples.sync;

import org.jspecify.annotations.NullMarked;
