/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.sync;

import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.internal.context.AbstractContext;
import io.docajava.core.internal.device.DeviceImpl;
import io.docajava.core.internal.engine.EngineImpl;
import io.docajava.core.internal.engine.EngineLoop;
import io.docajava.core.internal.engine.OperationCompletion;
import io.docajava.core.internal.operation.Operation;
import io.docajava.core.internal.operation.OperationPool;
import io.docajava.core.internal.operation.OperationSink;
import io.docajava.core.internal.operation.WaitingLine;
import io.docajava.core.progress.Completion;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventContextBuilder;
import io.docajava.core.sync.SyncEventEnd;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncEventTaskType;
import io.docajava.core.sync.SyncLocation;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The implementation of {@link SyncEventContext}. */
public final class SyncEventContextImpl extends AbstractContext implements SyncEventContext {

    private final EventOrigin origin;
    private final EventObject object;
    private final Map<SyncEventTaskType, OperationPool> pools;
    private final Map<SyncEventTaskType, WaitingLine> lines = new EnumMap<>(SyncEventTaskType.class);
    private final OperationSink handlers = new Handlers();
    private final EngineLoop.OperationStart<Long> queued =
            (operation, context, completion) -> start((SyncEventOperation) operation, completion);

    SyncEventContextImpl(
            Device device,
            EventOrigin origin,
            EngineImpl engine,
            EventObject object,
            String description,
            Map<SyncEventTaskType, Integer> tasks,
            Duration closeTimeout) {
        Map<SyncEventTaskType, OperationPool> all = pools(description, object, tasks);
        super(description, device, engine, object, List.copyOf(all.values()), closeTimeout);
        this.origin = origin;
        this.object = object;
        this.pools = all;
        pools.keySet().forEach(type -> lines.put(type, openLine()));
    }

    private static Map<SyncEventTaskType, OperationPool> pools(
            String context, EventObject object, Map<SyncEventTaskType, Integer> tasks) {
        Map<SyncEventTaskType, OperationPool> pools = new EnumMap<>(SyncEventTaskType.class);
        int index = 0;
        for (SyncEventTaskType type : SyncEventTaskType.values()) {
            int size = tasks.getOrDefault(type, 0);
            pools.put(type, EventOperations.pool(type, index, size, context, object));
            index += size;
        }
        return pools;
    }

    public static SyncEventContextBuilder fromExport(Device device, SyncEventExport export) {
        Objects.requireNonNull(device, "device");
        return new SyncEventContextBuilderImpl(device, SyncEventImpl.imported(export));
    }

    @Override
    public int maxTasks(SyncEventTaskType type) {
        Objects.requireNonNull(type, "type");
        return pool(type).size();
    }

    @Override
    public Completion<Long> submit(SyncEventOperation operation) {
        Objects.requireNonNull(operation, "operation");
        EngineLoop loop = loopOrCheck();
        object.event().checkMemory();
        checkOffered(operation.type());
        if (loop != null) {
            return loop.enqueue(line(operation.type()).room(), queued, operation, this);
        }
        Completion<Long> completion = new OperationCompletion<>(engine());
        start(operation, completion);
        return completion;
    }

    private WaitingLine line(SyncEventTaskType type) {
        return Objects.requireNonNull(lines.get(type));
    }

    /** Starts an operation on the engine's thread, also one that another thread has queued. */
    private void start(SyncEventOperation operation, Completion<Long> completion) {
        SyncEventTaskType type = operation.type();
        checkOpen();
        object.event().checkMemory();
        OperationPool pool = pool(type);
        line(type)
                .start(
                        pool,
                        null,
                        null,
                        null,
                        null,
                        completion,
                        () -> take(operation).submit(OperationSink.future(), completion));
    }

    @Override
    public void submit(SyncEventOperation operation, Handler<? super SyncEventEnd> handler) {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(handler, "handler");
        checkReady();
        checkOffered(operation.type());
        take(operation).submit(handlers, handler);
    }

    @Override
    public SyncEventTask task(SyncEventOperation operation) {
        Objects.requireNonNull(operation, "operation");
        checkUsable();
        checkOffered(operation.type());
        return new SyncEventTaskImpl(this, take(operation), operation.type());
    }

    /** Throws if operations cannot be submitted now. */
    private void checkReady() {
        checkRunning();
        object.event().checkMemory();
    }

    private void checkOffered(SyncEventTaskType type) {
        if (pool(type).size() == 0) {
            throw new IllegalStateException("The " + this + " has no tasks to " + NativeTaskType.words(type)
                    + (SyncEventCapabilities.of(device().info()).tasks().contains(type)
                            ? ": it was built without them"
                            : ": its device does not offer them with this release of DOCA"));
        }
    }

    private Operation take(SyncEventOperation operation) {
        return ((SyncEventOperationImpl) operation)
                .applyTo(pool(operation.type()).take());
    }

    private OperationPool pool(SyncEventTaskType type) {
        return Objects.requireNonNull(pools.get(type));
    }

    @Override
    public SyncEventExport exportPci(Device exporting) {
        Objects.requireNonNull(exporting, "exporting");
        return onItsThread("exported", () -> {
            checkExport(SyncLocation.REMOTE_PCI);
            SyncEventImpl.checkOwn("The " + this, device(), exporting);
            return SyncEventImpl.export(
                    SyncEventExport.Kind.PCI, object.event().exportPci(DeviceImpl.address(exporting)), this);
        });
    }

    @Override
    public SyncEventExport exportRdma() {
        return onItsThread("exported", () -> {
            checkExport(SyncLocation.REMOTE_NET);
            return SyncEventImpl.export(SyncEventExport.Kind.RDMA, object.exportRdma(), this);
        });
    }

    private void checkExport(SyncLocation location) {
        checkReady();
        origin.checkExport("The " + this, location);
    }

    /** Calls the receivers of operations, which are handlers. */
    private final class Handlers implements OperationSink {

        private final SyncEventEndImpl end = new SyncEventEndImpl(SyncEventContextImpl.this);

        @Override
        public void succeeded(Operation operation) {
            pass(operation, operation.result(), null);
        }

        @Override
        public void failed(Operation operation, TaskFailedException failure) {
            pass(operation, 0, failure);
        }

        @SuppressWarnings("unchecked") // the receiver of this sink is a handler of operations of events
        private void pass(Operation operation, long result, @Nullable TaskFailedException failure) {
            end.set(EventOperations.type(operation), result);
            ((Handler<? super SyncEventEnd>) operation.receiver()).ended(end, failure);
        }
    }
}
