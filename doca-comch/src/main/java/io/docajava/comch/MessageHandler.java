/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

/** Receives the messages of the connections of a {@link CommServer} or {@link CommClient}. */
@FunctionalInterface
public interface MessageHandler {

    /**
     * Receives a message. The messages of a connection come in the order in which the peer sent them, after {@link
     * CommConnectionListener#connected} and before {@link CommConnectionListener#disconnected}.
     *
     * <p>The engine's thread calls this method. It may do everything that a completion callback may do, such as send a reply.
     * Exceptions that it throws go to the engine's error handler.
     *
     * @param connection that the message was received on; a reply is sent on the same one
     * @param message a copy of the received bytes, which may be kept and passed to other threads
     */
    void received(CommConnection connection, CommMessage message);
}
