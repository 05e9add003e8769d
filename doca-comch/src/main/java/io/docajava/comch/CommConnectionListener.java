/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;

/**
 * Receives the changes of the connections of a {@link CommServer} or {@link CommClient}. The engine's thread calls all methods.
 * They may do everything that a completion callback may do. Exceptions that they throw go to the engine's error handler.
 */
public interface CommConnectionListener {

    /**
     * Receives a new connection, before its first message.
     *
     * @param connection that messages can be sent on
     */
    default void connected(CommConnection connection) {}

    /**
     * Receives the end of a connection, after its last message was delivered to the {@link MessageHandler}.
     *
     * @param connection that has ended, and refuses sends
     * @param reason why the connection has ended, as {@link CommConnection#disconnectReason()} returns it
     */
    default void disconnected(CommConnection connection, DisconnectReason reason) {}

    /**
     * Receives the failure to establish a connection: a server has refused the client, or a server could not accept a client.
     *
     * @param endpoint the client, which is idle and can be restarted, or the server, which runs on
     * @param failure whose message has the reasons that the SDK has logged
     */
    default void connectionFailed(CommEndpoint endpoint, DocaException failure) {}
}
