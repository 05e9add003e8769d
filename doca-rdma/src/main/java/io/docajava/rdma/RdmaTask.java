/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.memory.Buf;
import java.util.Optional;
import java.util.function.Consumer;

/** An operation on a connection that is prepared once and submitted many times. */
@SuppressWarnings("all")
public final class RdmaTask implements AutoCloseable {

    RdmaTask() {}

    /** Sets the connection of the next submission. */
    public RdmaTask connection(RdmaConnection connection) {
        throw notYet();
    }

    /** Sets the buffer of this side for the next submission. */
    public RdmaTask local(Buf buffer) {
        throw notYet();
    }

    /** Sets the buffer of the peer's side for the next submission. */
    public RdmaTask remote(Buf buffer) {
        throw notYet();
    }

    /** Sets the immediate data of the next submission. */
    public RdmaTask immediate(int immediate) {
        throw notYet();
    }

    /** Sets what the next submission of a fetch-and-add adds. */
    public RdmaTask addend(long addend) {
        throw notYet();
    }

    /** Sets the values of the next submission of a compare-and-swap. */
    public RdmaTask expect(long expected, long replacement) {
        throw notYet();
    }

    /** Sets what is called when a submission has ended. */
    public RdmaTask onCompletion(Consumer<? super RdmaTask> handler) {
        throw notYet();
    }

    /** Starts the operation. */
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

    /** The bytes of the last submission, or the value before it of an atomic operation; 0 unless it succeeded. */
    public long result() {
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
