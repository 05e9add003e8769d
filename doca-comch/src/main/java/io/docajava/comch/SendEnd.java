/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ended send, as its handler sees it. It is valid during the call of the handler, on that thread: the next call describes another
 * send by the same object. {@link CommConnection#send(byte[])} says what the end of a send proves.
 */
@SuppressWarnings("ReferenceEquality") // a reference is stored only if it has changed
public final class SendEnd {

    private @Nullable CommConnection connection;
    private long bytes;

    SendEnd() {}

    /** Describes another send. */
    void set(CommConnection newConnection, long newBytes) {
        if (newConnection != connection) {
            connection = newConnection;
        }
        bytes = newBytes;
    }

    /** {@return the connection of the send; it has ended, or its server or client is stopping, if the send has failed} */
    public CommConnection connection() {
        return Objects.requireNonNull(connection);
    }

    /** {@return the length of the message in bytes} */
    public long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "send of " + bytes + " bytes on " + connection;
    }
}
