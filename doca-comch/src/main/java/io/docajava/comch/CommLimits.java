/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

/**
 * Limits of a server or client.
 *
 * @param maxMessageSize the bytes of one message ({@code doca_comch_..._get_max_msg_size})
 * @param receiveQueueSize the messages that can have come and not been progressed yet, of one connection ({@code
 *     doca_comch_..._get_recv_queue_size})
 * @param maxSends the sends that can be in flight, of all connections together
 */
public record CommLimits(long maxMessageSize, long receiveQueueSize, int maxSends) {}
