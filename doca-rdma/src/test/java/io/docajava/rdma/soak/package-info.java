/* SPDX-License-Identifier: Apache-2.0 */
/** Processes that do everything with each other for a long time, and are killed. */
@NullMarked
package io.docajava.rdma.soak;

import org.jspecify.annotations.NullMarked;
