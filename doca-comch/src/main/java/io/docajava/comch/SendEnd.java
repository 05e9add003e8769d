/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.comch.internal.SendEndImpl;

/**
 * An ended send, as its handler sees it. It is valid during the call of the handler, on that thread: the next call describes another
 * send by the same object. {@link CommConnection#send(byte[])} says what the end of a send proves.
 */
public sealed interface SendEnd permits SendEndImpl {

    /** {@return the connection of the send; it has ended, or its server or client is stopping, if the send has failed} */
    CommConnection connection();

    /** {@return the length of the message in bytes} */
    long bytes();
}
