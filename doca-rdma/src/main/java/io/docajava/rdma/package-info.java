/* SPDX-License-Identifier: Apache-2.0 */
/** RDMA: contexts, connections to peers, operations on them, and the capabilities of devices. */
@NullMarked
package io.docajava.rdma;

import org.jspecify.annotations.NullMarked;
