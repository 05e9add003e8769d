/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;

/** The types of the tasks of a {@link SyncEventContext}. */
public enum SyncEventTaskType {
    /** Reads the value ({@code doca_sync_event_task_get}). */
    GET("get", "get"),
    /** Sets the value ({@code doca_sync_event_task_notify_set}). */
    SET("notify_set", "set"),
    /** Adds to the value ({@code doca_sync_event_task_notify_add}). */
    ADD("notify_add", "add"),
    /**
     * Waits until the value is greater than a number ({@code doca_sync_event_task_wait_gt}). Releases from 2.0 to 2.5 have these
     * tasks, and DOCA 3.0 does not: use {@link SyncEvent#newWait()} there, or the other waits.
     */
    WAIT_GREATER("wait_gt", "wait for a greater value"),
    /** Waits until the value equals a number ({@code doca_sync_event_task_wait_eq}, DOCA 2.10). */
    WAIT_EQUAL("wait_eq", "wait for a value"),
    /** Waits until the value differs from a number ({@code doca_sync_event_task_wait_neq}, DOCA 2.10). */
    WAIT_NOT_EQUAL("wait_neq", "wait for another value");

    private final String nativeName;
    private final String words;

    SyncEventTaskType(String nativeName, String words) {
        this.nativeName = nativeName;
        this.words = words;
    }

    String words() {
        return words;
    }

    SyncCondition.Relation relation() {
        return switch (this) {
            case WAIT_GREATER -> SyncCondition.Relation.GREATER;
            case WAIT_EQUAL -> SyncCondition.Relation.EQUAL;
            case WAIT_NOT_EQUAL -> SyncCondition.Relation.NOT_EQUAL;
            case GET, SET, ADD -> throw new AssertionError(this + " waits for nothing");
        };
    }

    /** Returns whether a task of this type waits for the value, which may take for ever. */
    boolean isWait() {
        return switch (this) {
            case GET, SET, ADD -> false;
            case WAIT_GREATER, WAIT_EQUAL, WAIT_NOT_EQUAL -> true;
        };
    }

    /** Returns the words for an operation of this type on an event, for messages. */
    String attempt(String event, long number, long mask) {
        return switch (this) {
            case GET -> "reading the " + event;
            case SET -> "setting the " + event + " to " + SyncCondition.text(number);
            case ADD -> "adding " + number + " to the " + event;
            case WAIT_GREATER, WAIT_EQUAL, WAIT_NOT_EQUAL ->
                "waiting for the " + event + " to be " + new SyncCondition(relation(), number, mask);
        };
    }

    /** Returns the prefix of the C functions of its tasks. */
    String prefix() {
        return "doca_sync_event_task_" + nativeName;
    }

    /** Returns the C function that {@link #isSupported} calls. */
    String capability() {
        return "doca_sync_event_cap_task_" + nativeName + "_is_supported";
    }

    /** Returns whether a native {@code doca_devinfo} supports this type, as a {@code doca_error_t}. */
    int isSupported(MemorySegment device) {
        return switch (this) {
            case GET -> DocaCommon.doca_sync_event_cap_task_get_is_supported(device);
            case SET -> DocaCommon.doca_sync_event_cap_task_notify_set_is_supported(device);
            case ADD -> DocaCommon.doca_sync_event_cap_task_notify_add_is_supported(device);
            case WAIT_GREATER -> DocaCommon.doca_sync_event_cap_task_wait_gt_is_supported(device);
            case WAIT_EQUAL -> DocaCommon.doca_sync_event_cap_task_wait_eq_is_supported(device);
            case WAIT_NOT_EQUAL -> DocaCommon.doca_sync_event_cap_task_wait_neq_is_supported(device);
        };
    }
}
