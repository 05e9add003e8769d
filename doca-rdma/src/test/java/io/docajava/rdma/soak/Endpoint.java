/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaContext;
import io.docajava.rdma.ReceiveEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One process with its context, its memory and its lanes. A run begins with {@link #open}, continues until an operation fails or
 * the context is stopped, and ends with {@link #end}. Then another run can begin.
 */
final class Endpoint implements AutoCloseable {

    private static final int RECEIVES = 3;
    /** The number of tasks of each type: more than all lanes need together. */
    private static final int TASKS = 256;

    private static final Access ALL = Access.LOCAL_READ_WRITE
            .plus(Access.RDMA_READ)
            .plus(Access.RDMA_WRITE)
            .plus(Access.RDMA_ATOMIC);
    /** The time in which a step ends and a context stops even on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Device device;
    private final ProgressEngine engine = ProgressEngine.create();
    private final RdmaContext rdma;
    private final Mmap memory;
    private final int numLanes;
    private final Counts counts = new Counts();

    private final List<RdmaConnection> connections = new ArrayList<>();
    private final List<Completion<RdmaConnection>> connecting = new ArrayList<>();
    private final List<Mmap> remotes = new ArrayList<>();
    private final Map<RdmaConnection, Lane> lanes = new HashMap<>();
    private boolean isStarted;
    private @Nullable RuntimeException end;

    private @Nullable Throwable failure;

    Endpoint(String ibDevice, int numLanes) {
        this.numLanes = numLanes;
        device = Device.open(DeviceFilter.ibDevice(ibDevice));
        engine.errorHandler(thrown -> failure = failure == null ? thrown : failure);
        rdma = RdmaContext.builder(device)
                .permissions(ALL)
                .maxTasks(TASKS)
                .maxReceives(RECEIVES)
                .rnrRetryCount(7)
                .start(engine);
        memory = Mmap.allocate(device, Layout.size(numLanes, RECEIVES), ALL);
        Layout.fill(memory.segment());
    }

    Mmap memory() {
        return memory;
    }

    Counts counts() {
        return counts;
    }

    ProgressEngine engine() {
        return engine;
    }

    byte[] export() {
        return memory.exportRdma(device).toBytes();
    }

    /** Prepares connections, one for each lane. */
    List<RdmaConnection> open() {
        end = null;
        if (rdma.state() == ContextState.IDLE) {
            rdma.restart();
        }
        for (int lane = 0; lane < numLanes; lane++) {
            memory.segment().set(JAVA_LONG, Layout.word(lane), 0);
            memory.segment().set(JAVA_LONG, Layout.acknowledged(lane), 0);
            connections.add(rdma.prepareConnection());
        }
        for (int i = 0; i < RECEIVES; i++) {
            receive(memory.range(Layout.receive(numLanes, i), Layout.MAX));
        }
        return List.copyOf(connections);
    }

    /** Imports the memory of a peer for this run. */
    Mmap attach(byte[] export) {
        Mmap remote = Mmap.fromExport(device, MmapExport.parse(export));
        remotes.add(remote);
        return remote;
    }

    /** Connects one lane. */
    void connect(int lane, ConnectionDetails details, Mmap remote, int remoteLane, long key, boolean first) {
        RdmaConnection connection = connections.get(lane);
        lanes.put(connection, new Lane(this, connection, lane, remote, remoteLane, key, first));
        connecting.add(connection.connect(details));
    }

    /** Starts all lanes after they are connected. */
    void start() throws InterruptedException {
        waitFor(() -> connecting.stream().allMatch(Completion::isDone));
        connecting.forEach(Completion::resultNow);
        connecting.clear();
        isStarted = true;
        lanes.values().forEach(Lane::next);
    }

    private void receive(MapRange range) {
        rdma.receive(range, (end, failure) -> received(range, end, failure));
    }

    private void received(MapRange range, ReceiveEnd end, @Nullable TaskFailedException failure) {
        if (failure != null) {
            breakOff(failure);
            return;
        }
        Lane lane = lanes.get(end.connection());
        if (lane == null) {
            throw new AssertionError("A message of " + end.bytes() + " bytes by " + end.connection());
        }
        lane.received(range, end.bytes(), end.kind(), end.immediate());
        try {
            receive(range);
        } catch (IllegalStateException | DocaException e) {
            breakOff(e);
        }
    }

    /** Ends this run, because a peer has ended or the context is stopped. */
    void breakOff(RuntimeException reason) {
        end = end == null ? reason : end;
    }

    /** Returns the reason why the run has ended, if it has. */
    Optional<RuntimeException> brokenBy() {
        return Optional.ofNullable(end);
    }

    /** Progresses until the condition holds or the time has passed. Fails after an error or if a lane hangs. */
    void run(BooleanSupplier condition, Duration time) throws InterruptedException {
        engine.await(() -> condition.getAsBoolean() || failure != null, time);
        check();
    }

    private void waitFor(BooleanSupplier condition) throws InterruptedException {
        run(condition, PATIENCE);
        if (!condition.getAsBoolean()) {
            throw new AssertionError("Nothing happens any more: " + this);
        }
    }

    private void check() {
        if (failure != null) {
            throw new AssertionError("Something was wrong: " + this, failure);
        }
        if (isStarted && end == null && rdma.state() == ContextState.RUNNING) {
            for (Lane lane : lanes.values()) {
                if (System.nanoTime() - lane.lastStep() > PATIENCE.toNanos()) {
                    throw new AssertionError("A step does not end: " + lane + " of " + this);
                }
            }
        }
    }

    /** Stops the context, which makes the lanes fail. */
    void stop() {
        if (rdma.state() == ContextState.RUNNING) {
            rdma.stop();
        }
    }

    /** Stops the context if it is running, and releases all resources of the run. */
    void end() throws InterruptedException {
        stop();
        waitFor(() -> rdma.state() == ContextState.IDLE);
        isStarted = false;
        lanes.clear();
        connections.clear();
        connecting.clear();
        remotes.forEach(Mmap::close);
        remotes.clear();
    }

    @Override
    public void close() {
        rdma.close();
        remotes.forEach(Mmap::close);
        memory.close();
        engine.close();
        device.close();
    }

    @Override
    public String toString() {
        return rdma + " (" + rdma.state() + ") with " + lanes.values();
    }
}
