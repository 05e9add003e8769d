/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.Completion;
import java.util.function.Function;

/**
 * Receives the results of operations; an {@link Operation} calls the sink it was submitted with. At a call, the buffers
 * are released and a pooled operation is back in its pool. An implementation must read the operation before it runs
 * user code, which may start the next operation.
 */
public interface OperationSink {

    void succeeded(Operation operation);

    void failed(Operation operation, TaskFailedException failure);

    /**
     * Called if the operation's completion will never be delivered. Its buffers stay in use, as the device may still
     * access them.
     */
    default void abandoned(Operation operation, TaskFailedException failure) {
        failed(operation, failure);
    }

    /** Returns a sink that completes the receiver, a {@code Completion<Long>}, with the result of the operation. */
    static OperationSink future() {
        return Future.INSTANCE;
    }

    /** Returns a sink that ignores results. */
    static OperationSink none() {
        return None.INSTANCE;
    }

    /** See {@link #future()}. */
    enum Future implements OperationSink {
        INSTANCE;

        private static final Function<Operation, Long> RESULT = Operation::result;

        @Override
        @SuppressWarnings("unchecked") // operations with this sink have such a receiver
        public void succeeded(Operation operation) {
            ((Completion<Long>) operation.receiver()).complete(operation.create(RESULT));
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            ((Completion<?>) operation.receiver()).completeExceptionally(failure);
        }
    }

    /** See {@link #none()}. */
    enum None implements OperationSink {
        INSTANCE;

        @Override
        public void succeeded(Operation operation) {}

        @Override
        public void failed(Operation operation, TaskFailedException failure) {}
    }
}
