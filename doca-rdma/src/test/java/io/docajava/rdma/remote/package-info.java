/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of RDMA with peers in other processes. */
@NullMarked
package io.docajava.rdma.remote;

import org.jspecify.annotations.NullMarked;
