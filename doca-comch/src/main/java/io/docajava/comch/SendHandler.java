/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.context.TaskFailedException;

/**
 * Receives the completions of sends. One handler may serve any number of sends.
 *
 * <p>The engine's thread calls both methods during progress. The task of the send is free by then, so the handler may send another
 * message. Exceptions that it throws go to the engine's error handler.
 */
public interface SendHandler {

    /**
     * Receives the success of a send. The peer may not have handled the message yet; see {@link CommConnection#send(byte[])}.
     *
     * @param connection that the message was sent on
     * @param length of the message in bytes
     */
    void sent(CommConnection connection, long length);

    /**
     * Receives the failure of a send. The peer may have received the message nevertheless; see {@link CommConnection#send(byte[])}.
     *
     * @param connection that the message was submitted to; it has ended, or its server or client is stopping
     * @param failure says whether this send is the root cause
     */
    void failed(CommConnection connection, TaskFailedException failure);
}
