/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends numbered messages as soon as there is room: the test sends one, and the handler of each completion sends more. */
final class Flood implements Handler<SendEnd> {

    static final int MESSAGES = 50;

    private final List<RuntimeException> refusals = new ArrayList<>();
    private int begun;
    private int sent;

    void begin(CommConnection connection) {
        connection.send(ServerLab.bytes(String.valueOf(begun)), this);
        begun++;
    }

    @Override
    public void ended(SendEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            throw failure;
        }
        sent++;
        try {
            while (begun < MESSAGES) {
                begin(end.connection());
            }
        } catch (RuntimeException refusal) {
            refusals.add(refusal);
        }
    }

    /** Sends the next message if none is in flight whose completion would, and returns whether all were sent. */
    boolean goesOn(CommConnection connection) {
        if (sent == begun && begun < MESSAGES) {
            try {
                begin(connection);
            } catch (RuntimeException refusal) {
                refusals.add(refusal);
            }
        }
        return isOver();
    }

    boolean isOver() {
        return sent == MESSAGES;
    }

    /** Returns the reason of the first wait; null if no send had to wait. */
    @Nullable
    RuntimeException refusal() {
        return refusals.isEmpty() ? null : refusals.getFirst();
    }
}
