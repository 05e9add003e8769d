/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

/** What was asked for when its context had no free task, and waits for one on the engine of a loop. */
public interface WaitingTask {

    /** Where it will take the task from. */
    TaskTable<?> table();

    /** A task is free: submits. Throws nothing, for who asked is gone: a failure goes to the future. */
    void submit();

    /** It will not be submitted. */
    void refuse(RuntimeException reason);
}
