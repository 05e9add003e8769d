/* SPDX-License-Identifier: Apache-2.0 */
/** A long-running test of processes that perform all operations with each other and are killed at random. */
@NullMarked
package io.docajava.rdma.soak;

import org.jspecify.annotations.NullMarked;
