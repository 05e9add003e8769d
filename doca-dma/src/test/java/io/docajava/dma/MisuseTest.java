/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.BufInventory;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that misuse is refused with a helpful message, and that the context still works afterwards. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class MisuseTest {

    private static final String CONTEXT = "DMA context on " + Lab.DEVICE;
    private static final String MEMORY = "Mmap of 1048576 bytes on " + Lab.DEVICE;

    private Lab lab;

    @BeforeEach
    void open() {
        lab = new Lab(4);
    }

    @AfterEach
    void stillWorks() throws Exception {
        lab.drain();
        if (lab.dma.state() == ContextState.RUNNING) {
            Buf source = lab.data(900_000, 32);
            Buf target = lab.space(950_000, 32);
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(32);
            lab.assertCopied(900_000, 950_000, 32);
        }
        assertThat(lab.reported).isEmpty();
        lab.close();
    }

    @Test
    void copyWithoutData() {
        assertIllegalArgument(
                () -> lab.dma.copy(lab.space(0, 64), lab.space(100, 64)),
                "A source buffer has no data: its data segment is empty, as that of new space is");
        assertIllegalArgument(
                () -> lab.dma.copy(lab.data(0, 64).append(lab.space(200, 64)), lab.space(1000, 200)),
                "A source buffer has no data: its data segment is empty, as that of new space is");
        assertIllegalArgument(
                () -> lab.dma.copy(lab.data(0, 0), lab.space(1000, 0)),
                "A source buffer has no data: its data segment is empty, as that of new space is");
    }

    @Test
    void copyToItself() {
        Buf buf = lab.data(0, 64);
        assertIllegalArgument(() -> lab.dma.copy(buf, buf), "The source of a copy cannot be its target");
    }

    @Test
    void copyOverItsOwnSource() {
        assertIllegalArgument(
                () -> lab.dma.copy(lab.data(1000, 64), lab.space(1063, 64)),
                "The target would be written over the source: 64 bytes at 1000 of " + MEMORY
                        + " and 64 bytes at 1063 of " + MEMORY);
        assertIllegalArgument(
                () -> lab.dma.copy(lab.data(2000, 64), lab.space(1937, 100)),
                "The target would be written over the source: 64 bytes at 2000 of " + MEMORY
                        + " and 64 bytes at 1937 of " + MEMORY);
        Buf list = lab.data(3000, 10).append(lab.data(4000, 10));
        assertIllegalArgument(
                () -> lab.dma.copy(list, lab.space(5000, 15).append(lab.space(4009, 100))),
                "The target would be written over the source: 10 bytes at 4000 of " + MEMORY
                        + " and 5 bytes at 4009 of " + MEMORY);
    }

    @Test
    void copyNextToItsOwnSourceIsFine() throws Exception {
        Completion<Long> behind = lab.dma.copy(lab.data(1000, 64), lab.space(1064, 64));
        assertThat(behind.await()).isEqualTo(64);
        Completion<Long> before = lab.dma.copy(lab.data(2000, 64), lab.space(1936, 64));
        assertThat(before.await()).isEqualTo(64);
        // The part of the target that the copy does not reach may overlap with the source.
        Completion<Long> partly = lab.dma.copy(lab.data(4000, 10), lab.space(3990, 100));
        assertThat(partly.await()).isEqualTo(10);
    }

    @Test
    void copyIntoTooLittleRoom() {
        assertIllegalArgument(
                () -> lab.dma.copy(lab.data(0, 64), lab.space(100, 63)),
                "The target has room for 63 bytes behind its data; the source has 64");
        assertIllegalArgument(
                () -> lab.dma.copy(lab.data(0, 64), lab.data(100, 64)),
                "The target has room for 0 bytes behind its data; the source has 64");
        assertIllegalArgument(
                () -> lab.dma.copy(
                        lab.data(0, 64).append(lab.data(100, 64)),
                        lab.space(1000, 64).append(lab.space(2000, 63))),
                "The target has room for 127 bytes behind its data; the source has 128");
    }

    @Test
    void copyOfMoreThanTheDeviceTakes() {
        long limit = lab.dma.capabilities().maxBufferSize();
        try (Mmap large = Mmap.allocate(lab.device, 2 * limit + 2, Access.LOCAL_READ_WRITE);
                Buf source = lab.buffers.data(large, 0, limit + 1);
                Buf target = lab.buffers.space(large, limit + 1, limit + 1)) {
            assertIllegalArgument(
                    () -> lab.dma.copy(source, target),
                    "The source has " + (limit + 1) + " bytes of data; a copy on " + Lab.DEVICE + " can have " + limit);
            source.setData(0, limit);
            assertThat(catchThrowable(() -> lab.dma.copy(source, target).await()))
                    .isNull();
        }
    }

    @Test
    void copyOfListsThatAreTooLong() throws Exception {
        int limit = lab.dma.capabilities().maxListLength();
        Buf source = list(limit + 1, 0, true);
        Buf target = lab.space(100_000, 16L * (limit + 1));
        assertIllegalArgument(
                () -> lab.dma.copy(source, target),
                "The source is a list of " + (limit + 1) + " buffers; a copy on " + Lab.DEVICE + " can have " + limit);
        assertThat(lab.dma.copy(list(limit, 0, true), target).await()).isEqualTo(16L * limit);
    }

    @Test
    void tasksThatCopyToAList() {
        Buf source = lab.data(0, 64);
        Buf list = lab.space(1000, 32).append(lab.space(1032, 32));
        String message = "The target is a list of 2 buffers, and a task writes to one: take a task for each buffer, or"
                + " DmaContext.copy(), which does so by itself";
        try (DmaTask task = lab.dma.task(source, list)) {
            assertIllegalArgument(task::submit, message);
            assertThat(task.status()).isEqualTo(TaskStatus.NEW);
        }
        assertThat(list.remaining()).isEqualTo(32);
        // The buffers are not in use.
        list.close();
        source.close();
    }

    @Test
    void copyIntoReadOnlyMemory() throws Exception {
        try (Mmap readOnly = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_ONLY);
                Buf target = lab.buffers.space(readOnly, 0, 64);
                Buf source = lab.buffers.data(readOnly, 64, 64)) {
            assertIllegalArgument(
                    () -> lab.dma.copy(lab.data(0, 64), target),
                    "The target is in Mmap of 4096 bytes on " + Lab.DEVICE + ", whose access lacks LOCAL_READ_WRITE");
            assertThat(lab.dma.copy(source, lab.space(0, 64)).await()).isEqualTo(64);
        }
    }

    @Test
    void copyOfMemoryOfAnotherDevice() {
        try (Device other = Device.open(DeviceFilter.pciAddress("03:00.1"));
                Mmap foreign = Mmap.allocate(other, 4096, Access.LOCAL_READ_WRITE);
                Buf source = lab.buffers.data(foreign, 0, 64);
                Buf target = lab.buffers.space(foreign, 64, 64)) {
            String memory = "Mmap of 4096 bytes on 0000:03:00.1 (mlx5_1), which is not registered with " + Lab.DEVICE;
            assertIllegalArgument(() -> lab.dma.copy(source, lab.space(0, 64)), "The source is in " + memory);
            assertIllegalArgument(() -> lab.dma.copy(lab.data(0, 64), target), "The target is in " + memory);
        }
    }

    @Test
    void copyOfMemoryThatItsOwnerFreed() {
        Arena arena = Arena.ofConfined();
        try (Mmap lent = Mmap.registerUnchecked(lab.device, arena.allocate(64, 64), Access.LOCAL_READ_WRITE)) {
            Buf source = lab.buffers.data(lent, 0, 64);
            arena.close();
            assertThatThrownBy(() -> lab.dma.copy(source, lab.space(0, 64)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The memory of Mmap of 64 bytes on " + Lab.DEVICE + " was freed while it was mapped");
            source.close();
        }
    }

    @Test
    void copyOfClosedBuffers() {
        Buf closed = lab.data(0, 64);
        closed.close();
        String message =
                "Buf in " + MEMORY + ", closed cannot be used: it was returned to BufInventory of " + Lab.BUFFERS;
        assertIllegalState(() -> lab.dma.copy(closed, lab.space(100, 64)), message);
        assertIllegalState(() -> lab.dma.copy(lab.data(100, 64), closed), message);
    }

    @Test
    void copyOfTheMiddleOfAList() {
        Buf second = lab.data(100, 64);
        Buf first = lab.data(0, 64).append(second);
        assertThat(first.elements()).isEqualTo(2);
        assertIllegalState(
                () -> lab.dma.copy(second, lab.space(1000, 64)),
                "A buffer in the middle of a list cannot be used by itself: use the first buffer of the list");
    }

    @Test
    void copyWithBuffersOfAnotherThread() throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("other").factory())) {
            BufInventory inventory = other.submit(() -> BufInventory.create(1)).get();
            Buf source = other.submit(() -> inventory.data(lab.memory, 0, 64)).get();
            assertIllegalState(
                    () -> lab.dma.copy(source, lab.space(100, 64)),
                    "BufInventory of 1 belongs to thread \"other\" and was called by thread \""
                            + Thread.currentThread().getName() + "\"");
            other.submit(inventory::close).get();
        }
    }

    @Test
    void moreCopiesThanTasks() throws Exception {
        List<Completion<Long>> copies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            copies.add(lab.dma.copy(lab.data(i * 100L, 64), lab.space(10_000 + i * 100L, 64)));
        }
        DmaTask task = lab.dma.task(lab.data(300, 64), lab.space(10_300, 64));
        Buf source = lab.data(400, 64);
        Buf target = lab.space(10_400, 64);
        String message =
                CONTEXT + " has no free task: all 4 are in use; progress until one completes, or raise maxTasks()";
        assertThat(lab.dma.copy(source, target).exceptionNow())
                .isExactlyInstanceOf(ResourceExhaustedException.class)
                .hasMessage(message)
                .satisfies(failure ->
                        assertThat(((DocaException) failure).isRetryable()).isTrue());
        assertThatThrownBy(() -> lab.dma.copy(source, target, new Repeat(() -> false, lab.dma)))
                .isExactlyInstanceOf(ResourceExhaustedException.class)
                .hasMessage(message)
                .satisfies(failure ->
                        assertThat(((DocaException) failure).isRetryable()).isTrue());
        assertThatThrownBy(() -> lab.dma.task(source, target))
                .isExactlyInstanceOf(ResourceExhaustedException.class)
                .hasMessage(message)
                .satisfies(failure ->
                        assertThat(((DocaException) failure).isRetryable()).isTrue());
        task.close();
        task.close();
        copies.add(lab.dma.copy(source, target));
        for (Completion<Long> copy : copies) {
            assertThat(copy.await()).isEqualTo(64);
        }
        lab.assertCopied(400, 10_400, 64);
    }

    /** Mistakes are thrown and all other failures complete the future, so neither depends on the load or the state of the context. */
    @Test
    void aMistakeIsThrownAlsoWhereTheCopyWouldFailAnyway() throws Exception {
        Buf buf = lab.data(0, 64);
        String mistake = "The source of a copy cannot be its target";
        List<DmaTask> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(lab.dma.task(lab.data(100, 64), lab.space(1000, 64)));
        }
        assertIllegalArgument(() -> lab.dma.copy(buf, buf), mistake);
        assertThat(lab.dma.copy(buf, lab.space(2000, 64)).exceptionNow())
                .isExactlyInstanceOf(ResourceExhaustedException.class);
        tasks.forEach(DmaTask::close);
        lab.dma.stop();
        lab.dma.drain(Await.LIMIT);
        assertIllegalArgument(() -> lab.dma.copy(buf, buf), mistake);
        assertThat(lab.dma.copy(buf, lab.space(2000, 64)).exceptionNow())
                .isExactlyInstanceOf(ContextNotRunningException.class);
        lab.dma.restart();
    }

    @Test
    void useOfATaskInFlight() throws Exception {
        Buf source = lab.data(0, 64);
        Buf target = lab.space(1000, 64);
        DmaTask task = lab.dma.task(source, target);
        task.submit();
        String change = "Cannot change a task in flight of the " + CONTEXT + ": progress until it is done";
        assertIllegalState(
                task::submit, "Cannot submit a task in flight of the " + CONTEXT + ": progress until it is done");
        assertIllegalState(
                task::close, "Cannot close a task in flight of the " + CONTEXT + ": progress until it is done");
        assertIllegalState(() -> task.source(source), change);
        assertIllegalState(() -> task.target(target), change);
        assertIllegalState(() -> task.onCompletion(done -> {}), change);
        lab.drain();
        task.close();
        assertIllegalState(task::submit, "The task of the " + CONTEXT + " is closed");
        assertIllegalState(() -> task.source(source), "The task of the " + CONTEXT + " is closed");
    }

    @Test
    void takingMemoryAwayUnderACopy() throws Exception {
        Buf second = lab.data(1000, 64);
        Buf source = lab.data(0, 64).append(second);
        Buf target = lab.space(2000, 128);
        Completion<Long> copy = lab.dma.copy(source, target);
        String inUse = "A buffer that a task in flight uses cannot be changed or closed";
        assertIllegalState(source::close, inUse);
        assertIllegalState(target::close, inUse);
        assertIllegalState(target::clear, inUse);
        assertIllegalState(() -> second.setData(0, 1), inUse);
        assertIllegalState(() -> target.append(lab.space(3000, 1)), inUse);
        assertIllegalState(
                lab.buffers::close,
                "BufInventory of " + Lab.BUFFERS + " cannot be closed while tasks in flight use 2 buffers");
        assertThatThrownBy(lab.memory::close).isInstanceOf(IllegalStateException.class);
        assertIllegalState(
                lab.device::close,
                "Device " + Lab.DEVICE + " cannot be closed while in use by: " + MEMORY + ", " + CONTEXT);
        assertIllegalState(
                lab.engine::close,
                "ProgressEngine of thread \"" + Thread.currentThread().getName()
                        + "\" cannot be closed while in use by: " + CONTEXT);
        assertThat(copy.await()).isEqualTo(128);
        source.close();
        target.close();
    }

    /** A buffer becomes free when the last copy that reads it has ended. */
    @Test
    void sharingASourceAmongCopies() throws Exception {
        Buf source = lab.data(0, 64);
        DmaTask first = lab.dma.task(source, lab.space(1000, 64));
        DmaTask second = lab.dma.task(source, lab.space(2000, 64));
        first.submit();
        second.submit();
        assertIllegalState(source::close, "A buffer that a task in flight uses cannot be changed or closed");
        lab.drain();
        source.close();
        first.close();
        second.close();
    }

    @Test
    void sharingATargetAmongCopies() throws Exception {
        Buf source = lab.data(0, 64);
        Buf target = lab.space(1000, 200);
        Completion<Long> first = lab.dma.copy(source, target);
        assertIllegalState(
                () -> lab.dma.copy(lab.data(100, 64), target), "The target is used by another copy in flight");
        assertIllegalState(
                () -> lab.dma.copy(target, lab.space(2000, 200)), "The source is the target of another copy in flight");
        Buf full = lab.data(3000, 8);
        assertIllegalState(() -> lab.dma.copy(full, source), "The target is used by another copy in flight");
        assertThat(first.await()).isEqualTo(64);
        assertThat(lab.dma.copy(lab.data(100, 64), target).await()).isEqualTo(64);
        assertThat(lab.dma.copy(target, lab.space(2000, 200)).await()).isEqualTo(128);
        lab.assertCopied(0, 2000, 64);
        lab.assertCopied(100, 2064, 64);
    }

    @Test
    void useByAnotherThread() throws Exception {
        Buf source = lab.data(0, 64);
        Buf target = lab.space(1000, 64);
        DmaTask task = lab.dma.task(source, target);
        Map<String, ThrowingCallable> calls = new TreeMap<>(Map.ofEntries(
                Map.entry("copy", () -> lab.dma.copy(source, target)),
                Map.entry("copy with handler", () -> lab.dma.copy(source, target, new Repeat(() -> false, lab.dma))),
                Map.entry("task", () -> lab.dma.task(source, target)),
                Map.entry("inFlight", () -> lab.dma.inFlight()),
                Map.entry("addListener", () -> lab.dma.addListener((context, previous, next) -> {})),
                Map.entry("removeListener", () -> lab.dma.removeListener((context, previous, next) -> {})),
                Map.entry("stop", () -> lab.dma.stop()),
                Map.entry("drain", () -> lab.dma.drain(Duration.ZERO)),
                Map.entry("restart", () -> lab.dma.restart()),
                Map.entry("close", () -> lab.dma.close()),
                Map.entry("task.submit", task::submit),
                Map.entry("task.source", () -> task.source(source)),
                Map.entry("task.status", task::status),
                Map.entry("task.isDone", task::isDone),
                Map.entry("task.bytes", task::bytes),
                Map.entry("task.failure", task::failure),
                Map.entry("task.close", task::close)));
        Map<String, String> messages = new TreeMap<>();
        Thread other = Thread.ofPlatform()
                .name("other")
                .start(() -> calls.forEach((name, call) -> {
                    Throwable thrown = catchThrowable(call);
                    messages.put(
                            name, thrown instanceof IllegalStateException ? thrown.getMessage() : "threw " + thrown);
                }));
        other.join();
        String expected = CONTEXT + " belongs to thread \""
                + Thread.currentThread().getName() + "\" and was called by thread \"other\""
                + ". Any thread may call the operations with a future of a context that"
                + " was started on a ProgressLoop";
        assertThat(messages.keySet()).isEqualTo(calls.keySet());
        assertThat(messages).allSatisfy((name, message) -> assertThat(message).isEqualTo(expected));
        task.close();
    }

    @Test
    void startByAnotherThread() throws Exception {
        Throwable[] thrown = new Throwable[1];
        Thread other = Thread.ofPlatform()
                .name("other")
                .start(() -> thrown[0] =
                        catchThrowable(() -> DmaContext.builder(lab.device).start(lab.engine)));
        other.join();
        assertThat(thrown[0])
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "ProgressEngine of thread \"" + Thread.currentThread().getName() + "\" belongs to thread \""
                                + Thread.currentThread().getName() + "\" and was called by thread \"other\"");
    }

    @Test
    void useAfterClose() {
        Buf source = lab.data(0, 64);
        Buf target = lab.space(1000, 64);
        DmaTask task = lab.dma.task(source, target);
        lab.dma.close();
        lab.dma.close();
        String closed = CONTEXT + " is closed";
        assertIllegalState(() -> lab.dma.copy(source, target), closed);
        assertIllegalState(() -> lab.dma.copy(source, target, new Repeat(() -> false, lab.dma)), closed);
        assertIllegalState(() -> lab.dma.task(source, target), closed);
        assertIllegalState(task::submit, closed);
        assertIllegalState(() -> task.source(source), closed);
        assertIllegalState(lab.dma::stop, closed);
        assertIllegalState(lab.dma::restart, closed);
        assertIllegalState(lab.dma::inFlight, closed);
        assertIllegalState(() -> lab.dma.drain(Duration.ZERO), closed);
        assertIllegalState(() -> lab.dma.addListener((context, previous, next) -> {}), closed);
        assertThat(lab.dma.state()).isEqualTo(ContextState.IDLE);
        task.close();
        lab.close();
        lab = new Lab(4);
    }

    @Test
    void startOnWhatIsClosed() {
        Device device = Device.open(DeviceFilter.pciAddress("03:00.1"));
        device.close();
        assertIllegalState(
                () -> DmaContext.builder(device).start(lab.engine), "Device 0000:03:00.1 (mlx5_1) is closed");
        assertIllegalState(() -> DmaCapabilities.of(device), "Device 0000:03:00.1 (mlx5_1) is closed");

        ProgressEngine engine = ProgressEngine.create();
        engine.close();
        assertIllegalState(
                () -> DmaContext.builder(lab.device).start(engine),
                "ProgressEngine of thread \"" + Thread.currentThread().getName() + "\" is closed");
    }

    @Test
    void wrongConfiguration() {
        DmaContextBuilder builder = DmaContext.builder(lab.device);
        assertIllegalArgument(() -> builder.maxTasks(0), "A DMA context needs 1 task or more: 0");
        assertIllegalArgument(
                () -> builder.maxTasks(65537).start(lab.engine),
                "A DMA context on " + Lab.DEVICE + " can have 65536 tasks at most: 65537");
        assertIllegalArgument(
                () -> builder.closeTimeout(Duration.ofSeconds(-1)), "The close timeout must not be negative: PT-1S");
    }

    /** Fails more often than there are tasks, none of which may be lost. */
    @Test
    void noBuffer() {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> lab.dma.copy(nullBuf(), lab.space(100, 64)))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> lab.dma.copy(lab.data(0, 64), nullBuf())).isInstanceOf(NullPointerException.class);
        }
        assertThatThrownBy(() -> lab.dma.task(nullBuf(), lab.space(100, 64)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("source");
        assertThatThrownBy(() -> lab.dma.task(lab.data(0, 64), nullBuf()))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("target");
    }

    @SuppressWarnings("NullAway") // simulates callers without a null checker
    private static Buf nullBuf() {
        return null;
    }

    @Test
    void noHandler() {
        assertThatThrownBy(() -> lab.dma.copy(lab.data(0, 64), lab.space(100, 64), nullHandler()))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
    }

    @SuppressWarnings("NullAway") // simulates callers without a null checker
    private static Handler<CopyEnd> nullHandler() {
        return null;
    }

    private Buf list(int elements, long offset, boolean data) {
        Buf list = data ? lab.data(offset, 16) : lab.space(offset, 64);
        for (int i = 1; i < elements; i++) {
            long next = offset + i * 128L;
            list.append(data ? lab.data(next, 16) : lab.space(next, 64));
        }
        return list;
    }

    private static void assertIllegalArgument(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    private static void assertIllegalState(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(message);
    }
}
