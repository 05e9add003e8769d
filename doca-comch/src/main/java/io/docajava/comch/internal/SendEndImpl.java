/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch.internal;

import io.docajava.comch.CommConnection;
import io.docajava.comch.SendEnd;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link SendEnd}. */
public final class SendEndImpl implements SendEnd {

    private @Nullable CommConnection connection;
    private long bytes;

    SendEndImpl() {}

    /** Describes another send. */
    void set(CommConnection newConnection, long newBytes) {
        if (newConnection != connection) {
            connection = newConnection;
        }
        bytes = newBytes;
    }

    @Override
    public CommConnection connection() {
        return Objects.requireNonNull(connection);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "send of " + bytes + " bytes on " + connection;
    }
}
