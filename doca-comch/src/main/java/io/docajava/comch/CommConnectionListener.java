/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.DocaException;

/**
 * Told of the connections of a {@link CommServer} or {@link CommClient}. All methods are called by the thread of the engine, and
 * may do all that a completion callback may do; what they throw goes to the engine's error handler.
 */
public interface CommConnectionListener {

    /** A connection has begun: messages can be sent, and none has come yet. */
    default void connected(CommConnection connection) {}

    /** A connection is over. All messages that came by it were handed to the {@link MessageHandler} before. */
    default void disconnected(CommConnection connection, DisconnectReason reason) {}

    /** A connection did not come about: a client has found no server, or a server could not take a client. */
    default void connectionFailed(CommEndpoint endpoint, DocaException failure) {}
}
