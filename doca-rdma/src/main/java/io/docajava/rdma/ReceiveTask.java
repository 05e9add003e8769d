/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import java.util.Optional;
import java.util.function.Consumer;

/** A receive that is prepared once and submitted many times. */
@SuppressWarnings("all")
public final class ReceiveTask implements AutoCloseable {

    ReceiveTask() {}

    /** Sets the buffer of the next submission. */
    public ReceiveTask buffer(Buf buffer) {
        throw notYet();
    }

    /** Sets what is called when a submission has ended. */
    public ReceiveTask onCompletion(Consumer<? super ReceiveTask> handler) {
        throw notYet();
    }

    /** Posts the receive. */
    public void submit() {
        throw notYet();
    }

    /** Where the task stands. */
    public TaskStatus status() {
        throw notYet();
    }

    /** Whether the last submission has ended, well or not. */
    public boolean isDone() {
        throw notYet();
    }

    /** The bytes of the message; 0 unless the last submission succeeded. */
    public long length() {
        throw notYet();
    }

    /** What the peer did. */
    public ReceivedKind kind() {
        throw notYet();
    }

    /** The 4 bytes that came with the message, as a number; 0 if none did. */
    public int immediate() {
        throw notYet();
    }

    /** By which connection the message came. */
    public RdmaConnection connection() {
        throw notYet();
    }

    /** Why the last submission failed; empty unless it did. */
    public Optional<TaskFailedException> failure() {
        throw notYet();
    }

    @Override
    public void close() {
        throw notYet();
    }

    private static UnsupportedOperationException notYet() {
        return new UnsupportedOperationException("Not yet");
    }
}
