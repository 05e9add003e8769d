/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import io.docajava.core.context.TaskFailedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Numbered messages, which are sent as soon as there is any room: one by the test, the others by what ends of sends call. */
final class Flood implements SendHandler {

    static final int MESSAGES = 50;

    private final List<RuntimeException> refusals = new ArrayList<>();
    private int begun;
    private int sent;

    void begin(CommConnection connection) {
        connection.send(ServerLab.bytes(String.valueOf(begun)), this);
        begun++;
    }

    @Override
    public void sent(CommConnection connection, long length) {
        sent++;
        try {
            while (begun < MESSAGES) {
                begin(connection);
            }
        } catch (RuntimeException refusal) {
            refusals.add(refusal);
        }
    }

    @Override
    public void failed(CommConnection connection, TaskFailedException failure) {
        throw failure;
    }

    boolean isOver() {
        return sent == MESSAGES;
    }

    /** Why it had to wait first; null if it never had to. */
    @Nullable
    RuntimeException refusal() {
        return refusals.isEmpty() ? null : refusals.getFirst();
    }
}
