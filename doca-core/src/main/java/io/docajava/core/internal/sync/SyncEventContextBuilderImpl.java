/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.device.Device;
import io.docajava.core.internal.context.AbstractContextBuilder;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventContextBuilder;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.ffi.generated.common.DocaCommon;
import io.docajava.ffi.internal.StackGuard;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The implementation of {@link SyncEventContextBuilder}. */
public final class SyncEventContextBuilderImpl extends AbstractContextBuilder<SyncEventContextBuilder>
        implements SyncEventContextBuilder {

    private static final int DEFAULT_TASKS = 16;

    private final EventOrigin origin;
    private int maxTasks = DEFAULT_TASKS;
    private final Map<SyncEventTaskType, Integer> maxTasksOf = new EnumMap<>(SyncEventTaskType.class);

    SyncEventContextBuilderImpl(Device device, EventOrigin origin) {
        super(device);
        this.origin = origin;
    }

    @Override
    public SyncEventContextBuilder maxTasks(int tasks) {
        maxTasks = atLeast(1, tasks, "tasks of a type");
        return this;
    }

    @Override
    public SyncEventContextBuilder maxTasks(SyncEventTaskType type, int tasks) {
        StackGuard.check();
        Objects.requireNonNull(type, "type");
        maxTasksOf.put(type, atLeast(0, tasks, "tasks to " + NativeTaskType.words(type)));
        return this;
    }

    @Override
    public SyncEventContext start(ProgressEngine engine) {
        return start(engine, "a sync event being created", () -> create(engine));
    }

    @Override
    public SyncEventContext start(ProgressLoop loop) {
        return startOn(loop, this::start);
    }

    private SyncEventContextImpl create(ProgressEngine engine) {
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
            return new SyncEventContextImpl(
                    device(), origin, EngineImpl.of(engine), object, description, tasks, closeTimeout());
        } catch (Throwable failure) {
            object.discard();
            throw failure;
        }
    }

    /** Returns the number of tasks of each type, which is 0 by default for a type that the device does not support. */
    private Map<SyncEventTaskType, Integer> tasks(long pointer) {
        SyncEventCapabilities capabilities = EventCapabilityQuery.capabilities(
                DocaCommon.doca_dev_as_devinfo(MemorySegment.ofAddress(pointer)),
                device().info().displayName());
        Map<SyncEventTaskType, Integer> tasks = new EnumMap<>(SyncEventTaskType.class);
        for (SyncEventTaskType type : SyncEventTaskType.values()) {
            boolean isOffered = capabilities.tasks().contains(type);
            Integer asked = maxTasksOf.get(type);
            if (asked != null && asked > 0 && !isOffered) {
                throw new IllegalArgumentException(device().info().displayName()
                        + " does not offer sync events with tasks to " + NativeTaskType.words(type));
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
}
