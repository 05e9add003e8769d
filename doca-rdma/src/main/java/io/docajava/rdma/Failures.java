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

    /** A message has come, and the SDK names a connection that nobody knows. */
    static TaskFailedException ofNobody(String function, String attempt, long connection) {
        int code = DocaError.UNEXPECTED.code();
        List<String> reasons =
                List.of("a message came by an unknown connection (0x" + Long.toHexString(connection) + ")");
        return new TaskFailedException(
                Calls.message(code, function, attempt, reasons), code, function, TaskFailedException.Reason.CULPRIT);
    }
}
