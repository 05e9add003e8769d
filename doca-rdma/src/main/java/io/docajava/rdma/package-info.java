/* SPDX-License-Identifier: Apache-2.0 */
/** Contexts and connections of RDMA, and what devices can do by it. */
@NullMarked
package io.docajava.rdma;

import org.jspecify.annotations.NullMarked;
