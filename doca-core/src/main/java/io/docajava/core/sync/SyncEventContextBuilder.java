/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import io.docajava.DocaException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.context.ContextBuilderBase;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.ffi.generated.common.DocaCommon;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/** Configures the tasks of a {@link SyncEventContext} and starts it. Not safe for use by several threads at once. */
@SuppressWarnings("exports") // the methods of the base class return this builder
public final class SyncEventContextBuilder extends ContextBuilderBase<SyncEventContextBuilder> {

    private static final int DEFAULT_TASKS = 16;

    private final EventOrigin origin;
    private int maxTasks = DEFAULT_TASKS;
    private final Map<SyncEventTaskType, Integer> maxTasksOf = new EnumMap<>(SyncEventTaskType.class);

    SyncEventContextBuilder(Device device, EventOrigin origin) {
        super(device);
        this.origin = origin;
    }

    /**
     * Sets the maximum number of tasks of each type in flight; 16 by default. {@link #maxTasks(SyncEventTaskType, int)} overrides
     * it for one type. A type that the device does not support has no tasks.
     *
     * @param tasks the number of tasks of a type, 1 or more
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    public SyncEventContextBuilder maxTasks(int tasks) {
        maxTasks = atLeast(1, tasks, "tasks of a type");
        return this;
    }

    /**
     * Sets the maximum number of tasks of one type in flight ({@code doca_sync_event_task_..._set_conf}).
     *
     * @param type of the tasks
     * @param tasks the number of tasks; 0 if the program does not use the type. With more than 0, {@link #start} fails if the
     *     device does not support the type. Release 2.5 does not start a context in which all types have 0
     * @return this builder
     * @throws IllegalArgumentException if {@code tasks} is negative
     */
    public SyncEventContextBuilder maxTasks(SyncEventTaskType type, int tasks) {
        Objects.requireNonNull(type, "type");
        maxTasksOf.put(type, atLeast(0, tasks, "tasks to " + type.words()));
        return this;
    }

    /**
     * Creates the event and starts it as a context ({@code doca_sync_event_create} or {@code doca_sync_event_create_from_export},
     * {@code doca_sync_event_task_..._set_conf}, {@code doca_sync_event_as_ctx}, {@code doca_pe_connect_ctx}, {@code
     * doca_ctx_start}).
     *
     * @param engine that progresses the context; its thread calls this method
     * @return the running context, to be closed by the engine's thread
     * @throws IllegalArgumentException if the device does not support a type that {@link #maxTasks(SyncEventTaskType, int)} was
     *     called for, or no type has tasks
     * @throws IllegalStateException if the device or the engine is closed, the calling thread is not the engine's, or the event's
     *     memory was freed
     * @throws DocaException if the SDK refuses
     */
    public SyncEventContext start(ProgressEngine engine) {
        return start(engine, "a sync event being created", () -> create(engine));
    }

    /**
     * Creates the event and starts it as a context on a loop. Any thread may call, except for that of another loop. Any thread may
     * then submit operations with a future, and stop, restart and close the context.
     *
     * @param loop that progresses the context, and closes it at the end unless it is closed before
     * @return the running context
     * @throws IllegalArgumentException as {@link #start(ProgressEngine)}
     * @throws IllegalStateException if the device is closed, the event's memory was freed, or the thread of another loop calls
     * @throws RejectedExecutionException if the loop is closed or has failed
     * @throws DocaException as {@link #start(ProgressEngine)}
     */
    public SyncEventContext start(ProgressLoop loop) {
        return startOn(loop, this::start);
    }

    private SyncEventContext create(ProgressEngine engine) {
        String place = origin.on() + " " + device().info().displayName();
        long pointer = DeviceImpl.address(device());
        Map<SyncEventTaskType, Integer> tasks = tasks(pointer);
        String description = "Sync event context " + place;
        EventObject object = new EventObject(pointer, origin, "SyncEvent " + place);
        try {
            tasks.forEach((type, count) -> {
                if (count > 0) {
                    object.configure(type, EngineImpl.of(engine), count, description);
                }
            });
            return new SyncEventContext(device(), origin, engine, object, description, tasks, closeTimeout());
        } catch (Throwable failure) {
            object.discard();
            throw failure;
        }
    }

    /** Returns the number of tasks of each type, which is 0 by default for a type that the device does not support. */
    private Map<SyncEventTaskType, Integer> tasks(long pointer) {
        SyncEventCapabilities capabilities = SyncEventCapabilities.read(
                DocaCommon.doca_dev_as_devinfo(MemorySegment.ofAddress(pointer)),
                device().info().displayName());
        Map<SyncEventTaskType, Integer> tasks = new EnumMap<>(SyncEventTaskType.class);
        for (SyncEventTaskType type : SyncEventTaskType.values()) {
            boolean isOffered = capabilities.tasks().contains(type);
            Integer asked = maxTasksOf.get(type);
            if (asked != null && asked > 0 && !isOffered) {
                throw new IllegalArgumentException(
                        device().info().displayName() + " does not offer sync events with tasks to " + type.words());
            }
            tasks.put(type, asked != null ? asked : isOffered ? maxTasks : 0);
        }
        // The SDK would refuse the start, after which DOCA 3.0 cannot destroy the engine.
        if (tasks.values().stream().allMatch(count -> count == 0)) {
            throw new IllegalArgumentException("A sync event context on "
                    + device().info().displayName() + " needs tasks of one type or more, and has none");
        }
        return tasks;
    }

    private static int atLeast(int least, int value, String what) {
        if (value < least) {
            throw new IllegalArgumentException("A sync event needs " + least + " or more " + what + ": " + value);
        }
        return value;
    }

    /** Returns the type of this builder and the name of the device. */
    @Override
    public String toString() {
        return description();
    }
}
