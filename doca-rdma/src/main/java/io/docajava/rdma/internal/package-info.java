/* SPDX-License-Identifier: Apache-2.0 */
/** Services of doca-rdma for doca-core. */
@NullMarked
package io.docajava.rdma.internal;

import org.jspecify.annotations.NullMarked;
