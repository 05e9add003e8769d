/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.testing.OpenHandles;
import io.docajava.core.testing.Requirements;
import io.docajava.ffi.completion.CompletionMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests sync events whose memory the user frees although it is in use. The memory is mapped from a file, so that its address is
 * unmapped afterwards and any access would crash the process.
 */
@ExtendWith(OpenHandles.class)
@ParameterizedClass
@EnumSource(CompletionMode.class)
@Timeout(600)
class FreedMemoryTest {

    private static final String EVENT = "SyncEvent on 0000:03:00.0 (mlx5_0)";
    private static final String CONTEXT = "Sync event context on 0000:03:00.0 (mlx5_0)";
    private static final String FREED = "The memory of " + EVENT + " was freed while it held the event";

    @Parameter
    CompletionMode mode = CompletionMode.NATIVE;

    private Device device;
    private ProgressEngine engine;
    private Path folder;
    private Arena arena;
    private MemorySegment memory;

    @BeforeEach
    void open(@TempDir Path folder) throws IOException {
        System.setProperty("doca.completions", mode.name().toLowerCase(Locale.ROOT));
        device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
        engine = ProgressEngine.create();
        this.folder = folder;
        map();
    }

    private void map() throws IOException {
        arena = Arena.ofShared();
        try (FileChannel file = FileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = file.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena).asSlice(0, 8);
        }
    }

    @AfterEach
    void close() {
        engine.close();
        device.close();
        System.clearProperty("doca.completions");
    }

    private SyncEventBuilder unchecked() {
        return SyncEvent.builder(device)
                .publisher(SyncLocation.CPU)
                .subscriber(SyncLocation.CPU)
                .memoryUnchecked(memory);
    }

    @Test
    void eventForCallsIsClosed() {
        try (SyncEvent event = unchecked().start();
                SyncEvent second = unchecked().start()) {
            event.set(7);
            assertThat(second.get()).isEqualTo(7);
            assertThat(memory.get(JAVA_LONG, 0)).isEqualTo(7);
            arena.close();
            assertThatIllegalStateException().isThrownBy(second::get).withMessage(FREED);
        }
    }

    @Test
    void contextIsClosed() {
        try (SyncEventContext event = unchecked().tasks().start(engine)) {
            arena.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> event.submit(SyncEventOperation.get()))
                    .withMessage(FREED);
        }
    }

    @Test
    void contextWithWaitsInFlightIsClosed() {
        Requirements.waitingTasks();
        SyncEventContext event = unchecked().tasks().start(engine);
        List<Completion<Long>> waits = List.of(
                event.submit(SyncEventOperation.waitEqual(1)), event.submit(SyncEventOperation.waitNotEqual(0)));
        engine.progress();
        arena.close();
        event.close();
        assertThat(waits).allMatch(Completion::isCompletedExceptionally);
    }

    @Test
    void stopEndsWaitsInFlight() throws InterruptedException {
        Requirements.waitingTasks();
        try (SyncEventContext event = unchecked().tasks().start(engine)) {
            Completion<Long> wait = event.submit(SyncEventOperation.waitEqual(1));
            arena.close();
            event.stop();
            assertThatExceptionOfType(TaskFailedException.class)
                    .isThrownBy(() -> wait.await())
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(TaskFailedException.Reason.CANCELLED));
        }
    }

    @Test
    void tasksInFlightFail() throws InterruptedException, IOException {
        Requirements.waitingTasks();
        assertFails(
                event -> event.submit(SyncEventOperation.waitEqual(1)),
                "Waiting for the " + CONTEXT + " to be equal to 1: ",
                "_wait_eq");
        assertFails(
                event -> event.submit(SyncEventOperation.waitNotEqual(0)),
                "Waiting for the " + CONTEXT + " to be other than 0: ",
                "_wait_neq");
        assertFails(event -> event.submit(SyncEventOperation.get()), "Reading the " + CONTEXT + ": ", "_get");
        assertFails(
                event -> event.submit(SyncEventOperation.set(1)), "Setting the " + CONTEXT + " to 1: ", "_notify_set");
        assertFails(
                event -> event.submit(SyncEventOperation.add(2)), "Adding 2 to the " + CONTEXT + ": ", "_notify_add");
    }

    private void assertFails(Function<SyncEventContext, Completion<Long>> submission, String attempt, String function)
            throws InterruptedException, IOException {
        map();
        try (SyncEventContext event = unchecked().tasks().start(engine)) {
            Completion<Long> task = submission.apply(event);
            arena.close();
            assertThatExceptionOfType(TaskFailedException.class)
                    .isThrownBy(() -> task.await())
                    .withMessageStartingWith(attempt + "doca_sync_event_task" + function
                            + " failed with DOCA_ERROR_IO_FAILED (Input/Output Operation Failed)")
                    .withMessageEndingWith(": the value cannot be reached")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(TaskFailedException.Reason.ROOT_CAUSE));
            assertThat(event.failure()).isPresent();
        }
    }
}
