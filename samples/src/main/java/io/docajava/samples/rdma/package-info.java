/* SPDX-License-Identifier: Apache-2.0 */
/** The samples of DOCA RDMA. */
@NullMarked
package io.docajava.samples.rdma;

import org.jspecify.annotations.NullMarked;
