/* SPDX-License-Identifier: Apache-2.0 */
/** What doca-rdma gives to doca-core. */
@NullMarked
package io.docajava.rdma.internal;

import org.jspecify.annotations.NullMarked;
