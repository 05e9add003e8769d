/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

/** Gets the messages that come to a {@link CommServer} or {@link CommClient}. */
@FunctionalInterface
public interface MessageHandler {

    /**
     * A message has come. Those of one connection come in the order in which they were sent, behind the beginning of the
     * connection and before its end.
     *
     * <p>Called by the thread of the engine, and may do all that a completion callback may do, such as to send an answer. What it
     * throws goes to the engine's error handler.
     */
    void received(CommConnection connection, CommMessage message);
}
