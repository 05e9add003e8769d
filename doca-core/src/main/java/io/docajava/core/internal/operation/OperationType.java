/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.sync.RemoteEvent;
import io.docajava.ffi.submission.TaskCommands;
import org.jspecify.annotations.Nullable;

/**
 * One type of tasks of a library, such as {@code struct doca_dma_task_memcpy}: how they are checked and allocated, what they need
 * before a submission, and how their results are read. This is all that a library adds for a new type of task; {@link Operation}
 * does the rest. A type keeps no state of an operation, but for memory that it has for each one by its {@linkplain
 * Operation#number() number}.
 */
public abstract class OperationType {

    private final String function;
    private final BufferRole local;
    private final BufferRole remote;
    private final ArgumentSetters setters;

    /**
     * Describes a type.
     *
     * @param function the name of the C type of its tasks, for messages, such as {@code doca_dma_task_memcpy}
     * @param local the role of the local buffer
     * @param remote the role of the remote buffer
     */
    protected OperationType(String function, BufferRole local, BufferRole remote, ArgumentSetters setters) {
        this.function = function;
        this.local = local;
        this.remote = remote;
        this.setters = setters;
    }

    /** Returns the name of the C type of the tasks. */
    public final String function() {
        return function;
    }

    final BufferRole local() {
        return local;
    }

    final BufferRole remote() {
        return remote;
    }

    final ArgumentSetters setters() {
        return setters;
    }

    /**
     * Checks the arguments of an operation.
     *
     * @param subject what the operation is on, such as a connection; null if it is on nothing but its context
     * @param local the first element of the local list, or null
     * @param remote the first element of the remote list, or null
     * @return how many bytes it moves
     * @throws IllegalArgumentException if the buffers do not fit together, or not to the device
     * @throws IllegalStateException if the subject cannot be used, or another operation in flight uses a buffer in a way that
     *     excludes this one
     */
    protected abstract long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote);

    /** As {@link #check} for a task of a graph, where others may use the same buffers before or after it. */
    protected long checkInGraph(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        return check(subject, local, remote);
    }

    /** As {@link #check} for an operation that waits for a free task. */
    protected long checkParked(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        return check(subject, local, remote);
    }

    /**
     * Submits an operation whose destination is a list, by as many tasks as that needs. Called for types whose remote buffer is a
     * destination.
     *
     * @param operation has the arguments, and is back in its pool
     */
    protected void split(Operation operation, OperationSink sink, @Nullable Object receiver) {
        throw new AssertionError("Operations of " + function + " have no destination on the other side");
    }

    /** Checks the sync event of the peer, of types that have one. */
    protected void checkEvent(RemoteEvent event) {}

    /**
     * Allocates the native task for the arguments of an operation.
     *
     * @return a {@code doca_error_t}
     */
    protected abstract int allocate(Operation operation, long userData);

    /** Returns the name of the C function that {@link #allocate} calls. */
    protected abstract String allocation();

    /** Returns the address of the task that was allocated last, of its own C type. */
    protected abstract long allocated();

    /** Returns the address of the {@code struct doca_task} of a task. */
    protected abstract long asTask(long typed);

    /** Returns the address that identifies a subject to the SDK. */
    protected long pointer(Object subject) {
        throw new AssertionError("Operations of " + function + " have no subject");
    }

    /** Returns the buffer that operations with this number have in place of a user's local buffer, or null. */
    protected @Nullable BufElement cell(int number) {
        return null;
    }

    /** Prepares the buffer that {@link #cell} has returned for the next submission. */
    protected void prepareCell(Operation operation, TaskCommands commands) {}

    /**
     * Reads the result of a task that has succeeded, while the task still exists. Throws nothing, and runs no code of users.
     *
     * @return the result: for most types the number of bytes
     */
    protected abstract long result(Operation operation);

    /** Returns by how much the data of a destination have grown. */
    protected long growth(Operation operation) {
        return operation.result();
    }

    /** Returns how many bytes an operation without a destination has moved. */
    protected long moved(Operation operation) {
        return operation.bytes();
    }

    /**
     * Returns whether an operation may be in flight for any time, as it waits for a peer or for another thread and not for the
     * device alone. Then it is no reason to warn of.
     */
    protected boolean isOpenEnded() {
        return false;
    }

    /** Returns why an operation has failed although the SDK says that it has succeeded; null if it has not. */
    protected @Nullable TaskFailedException contradiction(Operation operation) {
        return null;
    }

    /** Returns what an operation does, for messages: {@code copying 4096 bytes from ...}. */
    protected abstract String attempt(Operation operation);

    /** Returns whether a native task can be submitted again. If not, it is freed when its operation has ended. */
    protected boolean isReusable() {
        return true;
    }

    /** The operation is in flight; called for types that are not reusable. */
    protected void started(Operation operation) {}

    /** The operation is no longer in flight; called for types that are not reusable. */
    protected void ended(Operation operation) {}

    /** The task belongs to a graph until {@link #returned}. */
    protected void lent(Operation operation) {}

    /** The graph has returned the task. */
    protected void returned(Operation operation) {}

    /** Returns whether the subject of a parked operation can take it. */
    protected boolean isReady(@Nullable Object subject) {
        return true;
    }
}
