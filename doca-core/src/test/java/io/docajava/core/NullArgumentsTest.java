/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.RdmaBridge;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.RemoteSyncEvent;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventBuilder;
import io.docajava.core.sync.SyncEventCapabilities;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventContextBuilder;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncEventTask;
import io.docajava.core.sync.SyncLocation;
import io.docajava.core.testing.OpenHandles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sync events and the bridge to verbs name the argument that must not be null. */
@ExtendWith(OpenHandles.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NullArgumentsTest {

    private static final Path FILE = Path.of("no", "file");
    private static final SyncEventExport PCI = SyncEventExport.of(SyncEventExport.Kind.PCI, new byte[1]);
    private static final SyncEventExport RDMA = SyncEventExport.of(SyncEventExport.Kind.RDMA, new byte[1]);

    private Device device;
    private ProgressEngine engine;
    private Mmap map;
    private BufInventory buffers;
    private Buf buffer;
    private SyncEvent event;
    private SyncEventContext context;
    private SyncEventTask task;

    @BeforeAll
    void open() {
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        engine = ProgressEngine.create();
        map = Mmap.allocate(device, 64, Access.LOCAL_READ_WRITE);
        buffers = BufInventory.create(1);
        buffer = buffers.data(map, 0, 64);
        event = local().start();
        context = local().tasks().start(engine);
        task = context.getTask();
    }

    @AfterAll
    void close() {
        context.close();
        event.close();
        buffer.close();
        buffers.close();
        map.close();
        engine.close();
        device.close();
    }

    private SyncEventBuilder local() {
        return SyncEvent.builder(device).publisher(SyncLocation.CPU).subscriber(SyncLocation.CPU);
    }

    @SuppressWarnings("NullAway") // what callers without a null checker do
    private Stream<Arguments> calls() {
        SyncEventBuilder builder = local();
        SyncEventContextBuilder tasks = builder.tasks();
        return Stream.of(
                call("device", () -> SyncEvent.builder(null)),
                call("location", () -> builder.publisher(null)),
                call("location", () -> builder.subscriber(null)),
                call("segment", () -> builder.memory(null)),
                call("segment", () -> builder.memoryUnowned(null)),
                call("device", () -> SyncEvent.fromExport(null, PCI)),
                call("export", () -> SyncEvent.fromExport(device, null)),
                call("device", () -> event.exportPci(null)),
                call("timeout", () -> event.await().timeout(null)),
                call("idle", () -> event.await().idle(null)),
                call("device", () -> SyncEventContext.fromExport(null, PCI)),
                call("export", () -> SyncEventContext.fromExport(device, null)),
                call("type", () -> tasks.maxTasks(null, 1)),
                call("timeout", () -> tasks.closeTimeout(null)),
                call("listener", () -> tasks.listener(null)),
                call("engine", () -> tasks.start(null)),
                call("type", () -> context.maxTasks(null)),
                call("handler", () -> context.get(null)),
                call("handler", () -> context.set(1, null)),
                call("handler", () -> context.add(1, null)),
                call("handler", () -> context.waitEqual(1, -1, null)),
                call("handler", () -> context.waitNotEqual(1, -1, null)),
                call("device", () -> context.exportPci(null)),
                call("timeout", () -> context.drain(null)),
                call("listener", () -> context.addListener(null)),
                call("handler", () -> task.onCompletion(null)),
                call("device", () -> SyncEventCapabilities.of(null)),
                call("tasks", () -> new SyncEventCapabilities(false, false, false, false, null)),
                call("kind", () -> SyncEventExport.of(null, new byte[1])),
                call("descriptor", () -> SyncEventExport.of(SyncEventExport.Kind.PCI, null)),
                call("bytes", () -> SyncEventExport.parse((byte[]) null)),
                call("bytes", () -> SyncEventExport.parse((ByteBuffer) null)),
                call("file", () -> SyncEventExport.load(null)),
                call("kind", () -> SyncEventExport.loadDescriptor(null, FILE)),
                call("file", () -> SyncEventExport.loadDescriptor(SyncEventExport.Kind.PCI, null)),
                call("file", () -> PCI.save(null)),
                call("file", () -> PCI.saveDescriptor(null)),
                call("device", () -> RemoteSyncEvent.of(null, RDMA)),
                call("export", () -> RemoteSyncEvent.of(device, null)),
                call("map", () -> RdmaBridge.mkey((Mmap) null, device)),
                call("device", () -> RdmaBridge.mkey(map, null)),
                call("buffer", () -> RdmaBridge.mkey((Buf) null, device)),
                call("device", () -> RdmaBridge.mkey(buffer, null)),
                call("device", () -> RdmaBridge.protectionDomain(null)));
    }

    private static Arguments call(String argument, Executable call) {
        return Arguments.of(argument, call);
    }

    @ParameterizedTest(name = "{index}: {0}")
    @MethodSource("calls")
    void areNamed(String argument, Executable call) {
        assertThatNullPointerException().isThrownBy(call::execute).withMessage(argument);
    }
}
