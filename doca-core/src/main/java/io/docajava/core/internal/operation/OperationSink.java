/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.operation;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.Completion;

/**
 * Receives the end of operations. When a method is called, the buffers are released and a pooled operation is back in its pool: an
 * implementation reads all that it needs of the operation before it runs code of users, who may start the next one.
 */
public interface OperationSink {

    /** The operation has succeeded. */
    void succeeded(Operation operation);

    /** The operation has failed. */
    void failed(Operation operation, TaskFailedException failure);

    /** The end of the operation will never be known. The device may still access the buffers, so they stay in use. */
    default void abandoned(Operation operation, TaskFailedException failure) {
        failed(operation, failure);
    }

    /** Completes the receiver, a {@code Completion<Long>}, with the result of the operation. */
    static OperationSink future() {
        return Future.INSTANCE;
    }

    /** Ignores the end. */
    static OperationSink none() {
        return None.INSTANCE;
    }

    /** See {@link #future()}. */
    enum Future implements OperationSink {
        INSTANCE;

        @Override
        @SuppressWarnings("unchecked") // whoever submits with this sink gives such a receiver
        public void succeeded(Operation operation) {
            ((Completion<Long>) operation.receiver()).complete(operation.result());
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
