/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.core.DocaError;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.call.Calls;
import java.util.List;

/** Failures of tasks that the SDK does not tell of. */
final class Failures {

    private Failures() {}

    /** Nobody will learn how a task ends. */
    static TaskFailedException abandoned(String function, String attempt, RuntimeException reason) {
        int code = DocaError.SHUTDOWN.code();
        TaskFailedException failure = new TaskFailedException(
                Calls.message(code, function, attempt, List.of()), code, function, TaskFailedException.Reason.STOPPED);
        failure.initCause(reason);
        return failure;
    }
}
