/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.context;

/** What was asked for when its context had no free task, and waits for one on the engine of a loop. */
public interface WaitingTask {

    /** Where it will take the task from. */
    TaskTable<?> table();

    /** Whether it need not wait for more than a task. What has waited less waits with it. */
    default boolean isReady() {
        return true;
    }

    /** A task is free: submits. Throws nothing, for who asked is gone: a failure goes to the future. */
    void submit();

    /** It will not be submitted. */
    void refuse(RuntimeException reason);
}
