/* SPDX-License-Identifier: Apache-2.0 */
/** What a device can do by RDMA. */
@NullMarked
package io.docajava.rdma;

import org.jspecify.annotations.NullMarked;
