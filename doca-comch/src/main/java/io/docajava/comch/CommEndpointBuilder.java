/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.comch.internal.AbstractEndpointBuilder;
import io.docajava.core.context.ContextBuilder;

/**
 * The settings that are common to {@link CommServer} and {@link CommClient}. The SDK chooses values that are not set, except {@link
 * #maxSends}.
 *
 * @param <B> the builder itself
 */
public sealed interface CommEndpointBuilder<B extends CommEndpointBuilder<B>> extends ContextBuilder<B>
        permits CommServerBuilder, CommClientBuilder, AbstractEndpointBuilder {

    /**
     * Sets the length of the longest message ({@code doca_comch_..._set_max_msg_size}). A server and its clients must have the
     * same value, or the server refuses the clients. NVIDIA's default is 2048, or the limit of the device if that is lower.
     *
     * @param bytes 1 to {@link CommCapabilities#maxMessageSize()}; more is refused when the endpoint is started
     * @return this builder
     * @throws IllegalArgumentException if {@code bytes} is less than 1
     */
    B maxMessageSize(int bytes);

    /**
     * Sets how many messages of a connection may wait until progress delivers them ({@code doca_comch_..._set_recv_queue_size}).
     * The peer's sends wait or are refused while the queue is full.
     *
     * @param messages 1 to {@link CommCapabilities#maxReceiveQueueSize()}; more is refused when the endpoint is started
     * @return this builder
     * @throws IllegalArgumentException if {@code messages} is less than 1
     */
    B receiveQueueSize(int messages);

    /**
     * Sets how many sends may be in flight at the same time on all connections together ({@code
     * doca_comch_..._task_send_set_conf}); by default 64, or the limit of the device if that is lower.
     *
     * @param sends 1 to {@link CommCapabilities#maxSends()}; more is refused when the endpoint is started
     * @return this builder
     * @throws IllegalArgumentException if {@code sends} is less than 1
     */
    B maxSends(int sends);

    /**
     * Adds a listener for connections. A listener that is added before the start is notified of all connections.
     *
     * @param listener to be called by the engine's thread until {@link CommEndpoint#removeConnectionListener} removes it
     * @return this builder
     */
    B connectionListener(CommConnectionListener listener);
}
