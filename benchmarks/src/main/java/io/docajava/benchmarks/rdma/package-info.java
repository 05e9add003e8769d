/* SPDX-License-Identifier: Apache-2.0 */
/** Operations on a peer by RDMA. */
@NullMarked
package io.docajava.benchmarks.rdma;

import org.jspecify.annotations.NullMarked;
