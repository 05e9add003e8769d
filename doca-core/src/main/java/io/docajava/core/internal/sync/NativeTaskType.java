/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;

/** What the SDK calls the types of tasks, and how their operations differ. */
final class NativeTaskType {

    private NativeTaskType() {}

    /** Returns the name for messages. */
    static String words(SyncEventTaskType type) {
        return switch (type) {
            case GET -> "get";
            case SET -> "set";
            case ADD -> "add";
            case WAIT_GREATER -> "wait for a greater value";
            case WAIT_EQUAL -> "wait for a value";
            case WAIT_NOT_EQUAL -> "wait for another value";
        };
    }

    private static String nativeName(SyncEventTaskType type) {
        return switch (type) {
            case GET -> "get";
            case SET -> "notify_set";
            case ADD -> "notify_add";
            case WAIT_GREATER -> "wait_gt";
            case WAIT_EQUAL -> "wait_eq";
            case WAIT_NOT_EQUAL -> "wait_neq";
        };
    }

    static SyncCondition.Relation relation(SyncEventTaskType type) {
        return switch (type) {
            case WAIT_GREATER -> SyncCondition.Relation.GREATER;
            case WAIT_EQUAL -> SyncCondition.Relation.EQUAL;
            case WAIT_NOT_EQUAL -> SyncCondition.Relation.NOT_EQUAL;
            case GET, SET, ADD -> throw new AssertionError(type + " waits for nothing");
        };
    }

    /** Returns whether a task of this type waits for the value, which may take for ever. */
    static boolean isWait(SyncEventTaskType type) {
        return switch (type) {
            case GET, SET, ADD -> false;
            case WAIT_GREATER, WAIT_EQUAL, WAIT_NOT_EQUAL -> true;
        };
    }

    /** Returns the words for an operation of this type on an event, for messages. */
    static String attempt(SyncEventTaskType type, String event, long number, long mask) {
        return switch (type) {
            case GET -> "reading the " + event;
            case SET -> "setting the " + event + " to " + SyncCondition.text(number);
            case ADD -> "adding " + number + " to the " + event;
            case WAIT_GREATER, WAIT_EQUAL, WAIT_NOT_EQUAL ->
                "waiting for the " + event + " to be " + new SyncCondition(relation(type), number, mask);
        };
    }

    /** Returns the prefix of the C functions of its tasks. */
    static String prefix(SyncEventTaskType type) {
        return "doca_sync_event_task_" + nativeName(type);
    }

    /** Returns the C function that {@link #isSupported} calls. */
    static String capability(SyncEventTaskType type) {
        return "doca_sync_event_cap_task_" + nativeName(type) + "_is_supported";
    }

    /** Returns whether a native {@code doca_devinfo} supports this type, as a {@code doca_error_t}. */
    static int isSupported(SyncEventTaskType type, MemorySegment device) {
        return switch (type) {
            case GET -> DocaCommon.doca_sync_event_cap_task_get_is_supported(device);
            case SET -> DocaCommon.doca_sync_event_cap_task_notify_set_is_supported(device);
            case ADD -> DocaCommon.doca_sync_event_cap_task_notify_add_is_supported(device);
            case WAIT_GREATER -> DocaCommon.doca_sync_event_cap_task_wait_gt_is_supported(device);
            case WAIT_EQUAL -> DocaCommon.doca_sync_event_cap_task_wait_eq_is_supported(device);
            case WAIT_NOT_EQUAL -> DocaCommon.doca_sync_event_cap_task_wait_neq_is_supported(device);
        };
    }
}
