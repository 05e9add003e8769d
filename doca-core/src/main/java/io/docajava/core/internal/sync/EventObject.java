/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.core.internal.call.Calls;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.state.ContextBinding;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@code struct doca_sync_event} as a context, and its tasks. Used by one thread. */
final class EventObject implements ContextBinding {

    /** Not confined: another thread may take over the context of a thread that has ended. */
    private final Arena arena;

    private final MemorySegment out;
    private final MemorySegment userData;
    private final NativeEvent event;
    private final MemorySegment pointer;
    /** The event that is exported to RDMA peers; null if they do not publish. */
    private final @Nullable RdmaExportEvent rdmaEvent;

    /** Creates the event for a {@code struct doca_dev}; messages name it by {@code name}. */
    EventObject(long device, EventOrigin origin, String name) {
        arena = Arena.ofShared();
        try {
            out = arena.allocate(JAVA_LONG);
            userData = arena.allocate(JAVA_LONG);
            if (origin instanceof EventOrigin.Local plan && plan.isForRdma()) {
                RdmaExportEvent planned = new RdmaExportEvent(device, plan, name);
                this.rdmaEvent = planned;
                this.event = plan.withMemory(planned.memory()).create(device, name);
            } else {
                this.rdmaEvent = null;
                this.event = origin.create(device, name);
            }
        } catch (Throwable failure) {
            arena.close();
            throw failure;
        }
        this.pointer = MemorySegment.ofAddress(event.pointer());
    }

    NativeEvent event() {
        return event;
    }

    /** Allocates 8 bytes for each of a number of tasks, which are freed with this object. */
    MemorySegment allocateCells(int count) {
        return arena.allocate(JAVA_LONG, count);
    }

    /** Sets the callbacks and the number of the tasks of one type, before the start. */
    void configure(SyncEventTaskType type, EngineImpl engine, int tasks, String place) {
        MemorySegment succeeded = engine.taskSucceeded();
        MemorySegment failed = engine.taskFailed();
        int result = switch (type) {
            case GET -> DocaCommon.doca_sync_event_task_get_set_conf(pointer, succeeded, failed, tasks);
            case SET -> DocaCommon.doca_sync_event_task_notify_set_set_conf(pointer, succeeded, failed, tasks);
            case ADD -> DocaCommon.doca_sync_event_task_notify_add_set_conf(pointer, succeeded, failed, tasks);
            case WAIT_GREATER -> DocaCommon.doca_sync_event_task_wait_gt_set_conf(pointer, succeeded, failed, tasks);
            case WAIT_EQUAL -> DocaCommon.doca_sync_event_task_wait_eq_set_conf(pointer, succeeded, failed, tasks);
            case WAIT_NOT_EQUAL -> DocaCommon.doca_sync_event_task_wait_neq_set_conf(pointer, succeeded, failed, tasks);
        };
        Calls.check(
                result,
                NativeTaskType.prefix(type) + "_set_conf",
                "giving the " + place + " " + tasks + " tasks to " + NativeTaskType.words(type));
    }

    /**
     * Allocates a task, which {@link #allocated()} then returns. Returns a {@code doca_error_t}.
     *
     * @param resultMemory the memory for a result
     */
    int allocate(SyncEventTaskType type, MemorySegment resultMemory, long number, long mask, long newUserData) {
        userData.set(JAVA_LONG, 0, newUserData);
        return switch (type) {
            case GET -> DocaCommon.doca_sync_event_task_get_alloc_init(pointer, resultMemory, userData, out);
            case SET -> DocaCommon.doca_sync_event_task_notify_set_alloc_init(pointer, number, userData, out);
            case ADD ->
                DocaCommon.doca_sync_event_task_notify_add_alloc_init(pointer, number, resultMemory, userData, out);
            case WAIT_GREATER ->
                DocaCommon.doca_sync_event_task_wait_gt_alloc_init(pointer, number, mask, userData, out);
            case WAIT_EQUAL -> DocaCommon.doca_sync_event_task_wait_eq_alloc_init(pointer, number, mask, userData, out);
            case WAIT_NOT_EQUAL ->
                DocaCommon.doca_sync_event_task_wait_neq_alloc_init(pointer, number, mask, userData, out);
        };
    }

    /** Returns the task that was allocated last, such as a {@code struct doca_sync_event_task_get *}. */
    long allocated() {
        return out.get(JAVA_LONG, 0);
    }

    /** Returns the descriptor for RDMA peers, which must be publishers. */
    byte[] exportRdma() {
        return Objects.requireNonNull(rdmaEvent).export();
    }

    @Override
    public void starting() {
        RdmaExportEvent own = rdmaEvent;
        if (own != null) {
            Calls.check(own.destroy(), destroyFunction(), "destroying the RDMA export of " + event);
            own.reset();
        }
    }

    @Override
    public long context() {
        return DocaCommon.doca_sync_event_as_ctx(pointer).address();
    }

    @Override
    public String whyNotRestartable() {
        return "the SDK starts a sync event only once";
    }

    @Override
    public int destroy() {
        int result = rdmaEvent == null ? 0 : rdmaEvent.destroy();
        if (result == 0) {
            result = event.destroy();
        }
        if (result == 0) {
            arena.close();
        }
        return result;
    }

    @Override
    public String destroyFunction() {
        return "doca_sync_event_destroy";
    }
}
