/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

/** The types of the tasks of a {@link SyncEventContext}. */
public enum SyncEventTaskType {
    /** Reads the value ({@code doca_sync_event_task_get}). */
    GET,
    /** Sets the value ({@code doca_sync_event_task_notify_set}). */
    SET,
    /** Adds to the value ({@code doca_sync_event_task_notify_add}). */
    ADD,
    /**
     * Waits until the value is greater than a number ({@code doca_sync_event_task_wait_gt}). Releases from 2.0 to 2.5 have these
     * tasks, and DOCA 3.0 does not: use {@link SyncEvent#newWait()} there, or the other waits.
     */
    WAIT_GREATER,
    /** Waits until the value equals a number ({@code doca_sync_event_task_wait_eq}, DOCA 2.10). */
    WAIT_EQUAL,
    /** Waits until the value differs from a number ({@code doca_sync_event_task_wait_neq}, DOCA 2.10). */
    WAIT_NOT_EQUAL;
}
