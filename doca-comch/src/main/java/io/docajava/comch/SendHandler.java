/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.context.TaskFailedException;

/**
 * Told how sends end. One handler may serve any number of them.
 *
 * <p>Both methods run on the thread of the engine, inside its progress. The task of the send is free again by then: the handler
 * may use it for the next one. What it throws goes to the engine's error handler.
 */
public interface SendHandler {

    /**
     * A message was sent.
     *
     * @param length of the message in bytes
     */
    void sent(CommConnection connection, long length);

    /** A message was not sent, or it is not known whether the peer has got it. */
    void failed(CommConnection connection, TaskFailedException failure);
}
