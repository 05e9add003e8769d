/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

/**
 * Limits of a server or client.
 *
 * @param maxMessageSize the length of the longest message in bytes, the same at both ends of each connection ({@code
 *     doca_comch_..._get_max_msg_size})
 * @param receiveQueueSize the number of messages of one connection that may wait until progress delivers them ({@code
 *     doca_comch_..._get_recv_queue_size})
 * @param maxSends the number of sends that may be in flight at the same time on all connections together
 */
public record CommLimits(long maxMessageSize, long receiveQueueSize, int maxSends) {}
