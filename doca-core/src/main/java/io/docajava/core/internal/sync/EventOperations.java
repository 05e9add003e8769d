/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.operation.ArgumentSetters;
import io.docajava.core.internal.operation.BufferRole;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationType;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.hot.SyncEventCalls;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one type of a sync event. The first number of an operation is the number that is set, added or waited for; the
 * second one is the mask of a wait.
 */
final class EventOperations extends OperationType {

    private final String context;
    private final SyncEventTaskType type;
    private final EventObject object;
    /** 8 bytes for each operation, to which the SDK writes the value that was read, or the value before an addition. */
    private final MemorySegment cells;

    private EventOperations(String context, SyncEventTaskType type, EventObject object, int size) {
        super(
                NativeTaskType.prefix(type),
                BufferRole.NONE,
                BufferRole.NONE,
                size == 0 ? ArgumentSetters.NONE : setters(type));
        this.context = context;
        this.type = type;
        this.object = object;
        this.cells = object.allocateCells(size);
    }

    /** Creates the operations of a type; {@code size} is 0 for a type that the SDK may lack. */
    static OperationPool pool(SyncEventTaskType type, int firstIndex, int size, String context, EventObject object) {
        return new OperationPool(
                new EventOperations(context, type, object, size),
                "task to " + NativeTaskType.words(type),
                "maxTasks(SyncEventTaskType." + type + ", n)",
                firstIndex,
                size);
    }

    /** Returns the type of an operation of a sync event. */
    static SyncEventTaskType type(Operation operation) {
        return ((EventOperations) operation.pool().type()).type;
    }

    private static ArgumentSetters setters(SyncEventTaskType type) {
        String setter = NativeTaskType.prefix(type) + "_set_";
        return switch (type) {
            case GET -> ArgumentSetters.NONE;
            case SET -> new ArgumentSetters(0, 0, 0, SyncEventCalls.setter(setter + "set_val"), 0);
            case ADD -> new ArgumentSetters(0, 0, 0, SyncEventCalls.setter(setter + "inc_val"), 0);
            case WAIT_GREATER, WAIT_EQUAL, WAIT_NOT_EQUAL ->
                new ArgumentSetters(
                        0, 0, 0, SyncEventCalls.setter(setter + "wait_val"), SyncEventCalls.setter(setter + "mask"));
        };
    }

    @Override
    protected long check(@Nullable Object subject, @Nullable BufElement local, @Nullable BufElement remote) {
        object.event().checkMemory();
        return Long.BYTES;
    }

    private MemorySegment resultMemory(Operation operation) {
        return cells.asSlice((long) operation.number() * Long.BYTES, Long.BYTES);
    }

    @Override
    protected int allocate(Operation operation, long userData) {
        return object.allocate(type, resultMemory(operation), operation.first(), operation.second(), userData);
    }

    @Override
    protected String allocation() {
        return NativeTaskType.prefix(type) + "_alloc_init";
    }

    @Override
    protected long allocated() {
        return object.allocated();
    }

    @Override
    protected long asTask(long typed) {
        MemorySegment task = MemorySegment.ofAddress(typed);
        MemorySegment general = switch (type) {
            case GET -> DocaCommon.doca_sync_event_task_get_as_doca_task(task);
            case SET -> DocaCommon.doca_sync_event_task_notify_set_as_doca_task(task);
            case ADD -> DocaCommon.doca_sync_event_task_notify_add_as_doca_task(task);
            case WAIT_GREATER -> DocaCommon.doca_sync_event_task_wait_gt_as_doca_task(task);
            case WAIT_EQUAL -> DocaCommon.doca_sync_event_task_wait_eq_as_doca_task(task);
            case WAIT_NOT_EQUAL -> DocaCommon.doca_sync_event_task_wait_neq_as_doca_task(task);
        };
        return general.address();
    }

    @Override
    protected long result(Operation operation) {
        return switch (type) {
            case GET, ADD -> cells.get(JAVA_LONG, (long) operation.number() * Long.BYTES);
            case SET, WAIT_GREATER, WAIT_EQUAL, WAIT_NOT_EQUAL -> operation.first();
        };
    }

    @Override
    protected boolean isOpenEnded() {
        return NativeTaskType.isWait(type);
    }

    @Override
    protected String attempt(Operation operation) {
        return NativeTaskType.attempt(type, context, operation.first(), operation.second());
    }
}
