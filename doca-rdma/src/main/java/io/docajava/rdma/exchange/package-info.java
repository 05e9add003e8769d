/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Exchanges the descriptors of two processes over a socket, instead of by files that are copied by hand:
 *
 * {@snippet lang = java :
 * try (DescriptorExchange peer = DescriptorExchange.connect(DescriptorExchange.address("dpu:18515"), timeout)) {
 *     peer.send("connection", connection.details());
 *     peer.send("memory", memory.exportRdma(device));
 *     connection.connect(peer.receiveConnection("connection"));
 * }
 * }
 */
@NullMarked
package io.docajava.rdma.exchange;

import org.jspecify.annotations.NullMarked;
