/* SPDX-License-Identifier: Apache-2.0 */
/** Peers that are other processes. */
@NullMarked
package io.docajava.rdma.remote;

import org.jspecify.annotations.NullMarked;
