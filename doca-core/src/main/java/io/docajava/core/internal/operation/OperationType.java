/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.ffi.submission.TaskCommands;
import org.jspecify.annotations.Nullable;

/**
 * A type of library task, such as {@code struct doca_dma_task_memcpy}. It defines how tasks are checked, allocated and
 * prepared, and how their results are read. Each library implements a subclass per task type; {@link Operation} calls
 * it and does everything else. A type keeps no state of operations, except memory that it assigns to each by its
 * {@linkplain Operation#number() number}.
 */
public abstract class OperationType {

    private final String function;
    private final BufferRole local;
    private final BufferRole remote;
    private final ArgumentSetters setters;

    /**
     * Creates a type.
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
     * @param subject the object that the operation works on, such as a connection; null if there is none
     * @param local the first element of the local list, or null
     * @param remote the first element of the remote list, or null
     * @return the number of bytes that the operation moves
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit of the device
     * @throws IllegalStateException if the subject cannot be used, or another operation in flight uses a buffer in a
     *     way that excludes this one
     */
    protected abstract long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote);

    /**
     * Does the same as {@link #check} for a task of a graph, whose other tasks may use the same buffers before or after
     * it.
     */
    protected long checkInGraph(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        return check(subject, local, remote);
    }

    /** Does the same as {@link #check} for an operation that waits for a free task. */
    protected long checkParked(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        return check(subject, local, remote);
    }

    /**
     * Checks the subject of an operation on ranges.
     *
     * @throws RuntimeException as {@link #check} does if the subject cannot be used
     */
    protected void checkSubject(@Nullable Object subject) {}

    /** Returns whether a peer decides how many bytes are written to the destination, so that a buffer must end where a range ends. */
    protected boolean isFilledByPeer() {
        return false;
    }

    /**
     * Checks whether the device can use maps of operations on ranges, before an operation is bound to them.
     *
     * @param source the map to read from, or null
     * @param destination the map to write to, or null
     * @throws IllegalArgumentException if it cannot
     */
    protected void checkMaps(@Nullable MapState source, @Nullable MapState destination) {
        throw new AssertionError("Operations of " + function + " have no ranges");
    }

    /**
     * Submits an operation whose destination is a list, as several tasks if needed. Called only for types whose remote
     * buffer is a destination.
     *
     * @param operation the arguments; the operation is already back in its pool
     */
    protected void split(Operation operation, OperationSink sink, @Nullable Object receiver) {
        throw new AssertionError("Operations of " + function + " have no destination on the other side");
    }

    /** Checks the sync event of the peer. Overridden by types that use one. */
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

    /** Returns the buffer that the operation with this number uses instead of a user's local buffer, or null. */
    protected @Nullable BufElement resultBuffer(int number) {
        return null;
    }

    /** Prepares the buffer returned by {@link #resultBuffer} for the next submission. */
    protected void prepareResultBuffer(Operation operation, TaskCommands commands) {}

    /**
     * Reads the result of a successful task before the task is freed. An implementation must not throw or run user
     * code.
     *
     * @return the result: for most types the number of bytes
     */
    protected abstract long result(Operation operation);

    /** Returns the number of bytes by which the data of the destination have grown. */
    protected long growth(Operation operation) {
        return operation.result();
    }

    /** Returns the number of bytes that an operation without a destination has moved. */
    protected long moved(Operation operation) {
        return operation.bytes();
    }

    /**
     * Returns whether operations wait for a peer or for another thread, and not only for the device. They may be in
     * flight for any length of time without a warning.
     */
    protected boolean isOpenEnded() {
        return false;
    }

    /**
     * Returns the failure of an operation that the SDK has wrongly reported as successful; null if it has succeeded.
     */
    protected @Nullable TaskFailedException hiddenFailure(Operation operation) {
        return null;
    }

    /** Returns a description of an operation for messages, such as {@code copying 4096 bytes from ...}. */
    protected abstract String attempt(Operation operation);

    /** Returns what a failure with a result means, for messages: a reason that the SDK does not log. Null if the result says it. */
    protected @Nullable String meaning(Operation operation, int result) {
        return null;
    }

    /** Returns whether a native task can be submitted again. If not, it is freed when its operation has ended. */
    protected boolean isReusable() {
        return true;
    }

    /** Called when an operation is in flight, for types that are not reusable. */
    protected void started(Operation operation) {}

    /** Called when an operation is no longer in flight, for types that are not reusable. */
    protected void ended(Operation operation) {}

    /** Called when the task is lent to a graph, until {@link #takenBack}. */
    protected void lent(Operation operation) {}

    /** Called when the graph has returned the task. */
    protected void takenBack(Operation operation) {}

    /** Returns whether the subject can accept a parked operation. */
    protected boolean isReady(@Nullable Object subject) {
        return true;
    }
}
