/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.DocaCallException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.context.TaskStatus;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.graph.ContextNode;
import io.docajava.core.graph.Graph;
import io.docajava.core.graph.GraphBuilder;
import io.docajava.core.graph.GraphInstance;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests copies of ranges. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class RangeCopyTest extends CompletionModes {

    private static final Handler<CopyEnd> NOTHING = (end, failure) -> {};

    @Test
    void copiesOneRangeToAnother() throws Exception {
        try (Lab lab = new Lab()) {
            fill(lab, 0, 4096);
            MapRange source = lab.memory.range(0, 4096);
            MapRange target = lab.memory.range(8192, 4096);
            for (int i = 0; i < 3; i++) {
                assertThat(lab.dma.copy(source, target).await()).isEqualTo(4096);
                lab.assertCopied(0, 8192, 4096);
                lab.memory.segment().asSlice(8192, 4096).fill((byte) 0);
            }
            assertThat(lab.dma.copy(source.slice(100, 17), target.slice(5, 17)).await())
                    .isEqualTo(17);
            lab.assertCopied(100, 8197, 17);
            assertThat(lab.dma.stats().rebinds()).isEqualTo(2);
        }
    }

    /** As many tasks are looked at, down to the one that was returned first. */
    @Test
    void aTaskThatHasUsedTheMapsIsFoundAmongFour() {
        try (Lab lab = new Lab(4)) {
            List<Mmap> maps = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                maps.add(Mmap.allocate(lab.device, 64, Access.LOCAL_READ_WRITE));
                lab.dma.copy(maps.get(i), 0, lab.memory, 64L * i, 64, i, NOTHING);
            }
            drain(lab);
            long rebinds = lab.dma.stats().rebinds();
            assertThat(rebinds).isEqualTo(8);
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 4; i++) {
                    lab.dma.copy(maps.get(i), 0, lab.memory, 64L * i, 64, i, NOTHING);
                    drain(lab);
                }
            }
            assertThat(lab.dma.stats().rebinds()).isEqualTo(rebinds);
            maps.forEach(Mmap::close);
        }
    }

    @Test
    void aHandlerGetsADescriptionOfTheCopy() {
        try (Lab lab = new Lab()) {
            fill(lab, 0, 100);
            List<String> ends = new ArrayList<>();
            Handler<CopyEnd> handler = (end, failure) ->
                    ends.add(end.tag() + ": " + end.bytes() + " bytes, " + end + ", failure " + failure);
            lab.dma.copy(lab.memory.range(10, 20), lab.memory.range(1000, 20), handler);
            assertThat(lab.dma.inFlight()).isEqualTo(1);
            drain(lab);
            lab.dma.copy(lab.memory, 0, lab.memory, 2000, 100, -7, handler);
            assertThat(lab.dma.inFlight()).isEqualTo(1);
            drain(lab);
            assertThat(ends)
                    .containsExactly(
                            "0: 20 bytes, copy from 20 bytes at 10 of " + lab.memory + " to 20 bytes at 1000 of "
                                    + lab.memory + ", failure null",
                            "-7: 100 bytes, copy from 100 bytes at 0 of " + lab.memory + " to 100 bytes at 2000 of "
                                    + lab.memory + ", failure null");
            lab.assertCopied(0, 2000, 100);
            lab.assertCopied(10, 1000, 20);
        }
    }

    @Test
    void aHandlerSubmitsTheNextCopyWithTheOnlyTask() {
        try (Lab lab = new Lab(1)) {
            fill(lab, 0, 64);
            List<Long> tags = new ArrayList<>();
            Handler<CopyEnd> handler = new Handler<>() {
                @Override
                public void ended(CopyEnd end, @Nullable TaskFailedException failure) {
                    long tag = end.tag();
                    if (tag < 100) {
                        lab.dma.copy(end.target().map(), 64 * tag, lab.memory, 64 * tag + 64, 64, tag + 1, this);
                    }
                    // The description is that of the ended copy, although its task is in use again.
                    tags.add(end.tag());
                    assertThat(end.source().offset()).isEqualTo(Math.max(64 * (end.tag() - 1), 0));
                }
            };
            lab.dma.copy(lab.memory, 0, lab.memory, 64, 64, 1, handler);
            drain(lab);
            assertThat(lab.reported).isEmpty();
            assertThat(tags).hasSize(100).startsWith(1L, 2L, 3L).endsWith(100L);
            lab.assertCopied(0, 6400, 64);
        }
    }

    @Test
    void copiesLeaveWithTheNextProgressOrFlush() {
        try (Lab lab = new Lab(64)) {
            fill(lab, 0, 64);
            for (int i = 0; i < 40; i++) {
                lab.dma.copy(lab.memory, 0, lab.memory, 1024 + 64 * i, 64, i, NOTHING);
            }
            lab.dma.flush();
            lab.dma.flush();
            drain(lab);
            for (int i = 0; i < 40; i++) {
                lab.assertCopied(0, 1024 + 64 * i, 64);
            }
        }
    }

    @Test
    void anEmptyRangeIsCopiedAtOnce() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange empty = lab.memory.range(Lab.MEMORY, 0);
            Completion<Long> copy = lab.dma.copy(empty, empty);
            assertThat(copy).isCompletedWithValue(0L);
            List<Long> ends = new ArrayList<>();
            lab.dma.copy(lab.memory, 5, lab.memory, 5, 0, 3, (end, failure) -> ends.add(end.bytes() + end.tag()));
            assertThat(ends).isEmpty();
            assertThat(lab.engine.progress()).isEqualTo(1);
            assertThat(ends).containsExactly(3L);
            assertThat(lab.dma.inFlight()).isZero();
        }
    }

    @Test
    void rangesAreInsideOfTheirMaps() {
        try (Lab lab = new Lab();
                Mmap other = Mmap.allocate(lab.device, 100, Access.LOCAL_READ_WRITE)) {
            assertThat(lab.memory.all()).isEqualTo(new MapRange(lab.memory, 0, Lab.MEMORY));
            for (long[] bad : new long[][] {
                {-1, 1}, {0, -1}, {0, 101}, {100, 1}, {1, Long.MAX_VALUE}, {Long.MAX_VALUE, 1}, {Long.MIN_VALUE, 0}
            }) {
                String message = "A range of " + bad[1] + " bytes at " + bad[0] + " is not inside of " + other;
                assertThatThrownBy(() -> other.range(bad[0], bad[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessage(message);
                assertThatThrownBy(() -> lab.dma.copy(other, bad[0], lab.memory, 0, bad[1], 0, NOTHING))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessage(message);
            }
            assertThatThrownBy(() -> lab.dma.copy(lab.memory, 0, other, 90, 11, 0, NOTHING))
                    .hasMessage("A range of 11 bytes at 90 is not inside of " + other);
            assertThatThrownBy(() -> lab.memory.range(10, 5).slice(3, 3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(lab.dma.inFlight()).isZero();
        }
    }

    @Test
    void refusesCopiesThatTheDeviceWouldMakeWrongly() {
        try (Lab lab = new Lab();
                Device port = Device.open(DeviceFilter.pciAddress("03:00.1"));
                Mmap others = Mmap.allocate(port, 100, Access.LOCAL_READ_WRITE);
                Mmap readOnly = Mmap.allocate(lab.device, 100, Access.LOCAL_READ_ONLY)) {
            assertRefused(lab, lab.memory.range(0, 10), lab.memory.range(100, 11))
                    .hasMessage("A copy of 10 bytes cannot fill a target of 11 bytes");
            assertRefused(lab, lab.memory.range(0, 10), lab.memory.range(9, 10))
                    .hasMessage("The target would be written over the source: 10 bytes at 0 of " + lab.memory
                            + " and at 9 of " + lab.memory);
            assertRefused(lab, others.range(0, 10), lab.memory.range(9, 10))
                    .hasMessage("The source is in " + others + ", which is not registered with " + Lab.DEVICE);
            assertRefused(lab, lab.memory.range(0, 10), others.range(9, 10))
                    .hasMessage("The target is in " + others + ", which is not registered with " + Lab.DEVICE);
            assertRefused(lab, lab.memory.range(0, 10), readOnly.range(9, 10))
                    .hasMessage("The target is in " + readOnly + ", whose access lacks LOCAL_READ_WRITE");
            assertThat(lab.dma.inFlight()).isZero();
            lab.dma.copy(lab.memory.range(0, 10), lab.memory.range(10, 10), NOTHING);
            drain(lab);
        }
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(Lab lab, MapRange source, MapRange target) {
        assertThatThrownBy(() -> lab.dma.copy(source, target, NOTHING)).isInstanceOf(IllegalArgumentException.class);
        return assertThatThrownBy(() -> lab.dma.copy(source, target)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhenNoTaskIsFree() throws Exception {
        try (Lab lab = new Lab(2)) {
            MapRange source = lab.memory.range(0, 10);
            Completion<Long> first = lab.dma.copy(source, lab.memory.range(10, 10));
            lab.dma.copy(source, lab.memory.range(20, 10), NOTHING);
            assertThatThrownBy(() -> lab.dma.copy(source, lab.memory.range(30, 10), NOTHING))
                    .isInstanceOf(ResourceExhaustedException.class)
                    .hasMessage(
                            "DMA context on " + Lab.DEVICE + " has no free task: all 2 are in use; progress until one"
                                    + " completes, or raise maxTasks()");
            assertThat(lab.dma.copy(source, lab.memory.range(30, 10))).isCompletedExceptionally();
            assertThat(first.await()).isEqualTo(10);
            drain(lab);
        }
    }

    @Test
    void aMapClosesAfterItsOperationsAndNotBefore() throws Exception {
        try (Lab lab = new Lab()) {
            Mmap memory = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE);
            Completion<Long> copy = lab.dma.copy(memory.range(0, 64), lab.memory.range(64, 64));
            assertThatThrownBy(memory::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(memory + " cannot be closed while operations in flight use it: DMA context on "
                            + Lab.DEVICE);
            assertThat(copy.await()).isEqualTo(64);
            // It is open again, and idle tasks keep buffers over it.
            assertThat(lab.dma.copy(memory.range(0, 64), memory.range(64, 64)).await())
                    .isEqualTo(64);
            MapRange closed = memory.range(0, 64);
            memory.close();
            assertThatThrownBy(() -> lab.dma.copy(closed, lab.memory.range(64, 64)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(closed.map() + " is closed");
            assertThatThrownBy(() -> lab.dma.copy(lab.memory.range(64, 64), closed, NOTHING))
                    .hasMessage(closed.map() + " is closed");
            assertThat(lab.dma
                            .copy(lab.memory.range(0, 64), lab.memory.range(64, 64))
                            .await())
                    .isEqualTo(64);
        }
    }

    @Test
    void aMapWithBuffersNamesThem() throws Exception {
        try (Lab lab = new Lab()) {
            lab.dma.copy(lab.memory.range(0, 64), lab.memory.range(64, 64)).await();
            Buf buf = lab.buffers.data(lab.memory, 0, 64);
            assertThatThrownBy(lab.memory::close)
                    .hasMessage(lab.memory + " cannot be closed while 1 buffer of " + lab.buffers + " points into it");
            buf.close();
        }
    }

    @Test
    void severalContextsUseOneMap() throws Exception {
        try (Lab lab = new Lab();
                DmaContext second = DmaContext.builder(lab.device).start(lab.engine);
                Mmap memory = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE)) {
            for (DmaContext dma : List.of(lab.dma, second)) {
                assertThat(dma.copy(memory.range(0, 64), memory.range(64, 64)).await())
                        .isEqualTo(64);
            }
            second.copy(memory.range(0, 64), memory.range(64, 64), NOTHING);
            assertThatThrownBy(memory::close)
                    .hasMessage(memory + " cannot be closed while operations in flight use it: " + second);
            drain(lab);
        }
    }

    @Test
    void aClosedContextKeepsNoMap() throws Exception {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressEngine engine = ProgressEngine.create();
                Mmap memory = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE)) {
            try (DmaContext dma = DmaContext.builder(device).start(engine)) {
                dma.copy(memory.range(0, 64), memory.range(64, 64)).await();
            }
        }
    }

    @Test
    void takesTurnsWithBuffers() throws Exception {
        try (Lab lab = new Lab(1)) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            fill(lab, 100, 64);
            for (int i = 0; i < 3; i++) {
                assertThat(lab.dma.copy(source, target).await()).isEqualTo(64);
                lab.assertCopied(0, 1000, 64);
                target.clear();
                assertThat(lab.dma
                                .copy(lab.memory.range(100, 64), lab.memory.range(2000, 64))
                                .await())
                        .isEqualTo(64);
                lab.assertCopied(100, 2000, 64);
                try (DmaTask task = lab.dma.task(source, target)) {
                    task.submit();
                    drain(lab);
                    assertThat(target.dataLength()).isEqualTo(64);
                }
                target.clear();
                try (DmaSeries series = lab.dma.series(lab.ranges(List.of(source)), lab.ranges(List.of(target)))) {
                    series.submit();
                    drain(lab);
                }
                target.clear();
            }
        }
    }

    @Test
    void leavesTogetherWithCopiesOfBuffers() {
        try (Lab lab = new Lab(builder -> builder.optimizeReports(true))) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            int[] ended = new int[1];
            lab.dma.copy(source, target, (end, failure) -> ended[0]++);
            lab.dma.copy(lab.memory.range(0, 64), lab.memory.range(2000, 64), (end, failure) -> ended[0]++);
            lab.dma.flush();
            drain(lab);
            assertThat(ended[0]).isEqualTo(2);
            lab.assertCopied(0, 1000, 64);
            lab.assertCopied(0, 2000, 64);
        }
    }

    @Test
    void aTaskCopiesRangesAgainAndAgain() throws Exception {
        try (Lab lab = new Lab(2)) {
            fill(lab, 0, 4096);
            try (DmaTask task = lab.dma.task(lab.memory.range(0, 64), lab.memory.range(8192, 64))) {
                for (int i = 0; i < 3; i++) {
                    lab.memory.segment().asSlice(8192, 64).fill((byte) 0);
                    task.submit();
                    assertThat(task.status()).isEqualTo(TaskStatus.IN_FLIGHT);
                    drain(lab);
                    assertThat(task.bytes()).isEqualTo(64);
                    lab.assertCopied(0, 8192, 64);
                }
                task.ranges(lab.memory.range(100, 200), lab.memory.range(9000, 200))
                        .submit();
                assertThatThrownBy(() -> task.ranges(lab.memory.range(100, 200), lab.memory.range(9000, 200)))
                        .isInstanceOf(IllegalStateException.class);
                drain(lab);
                assertThat(task.bytes()).isEqualTo(200);
                lab.assertCopied(100, 9000, 200);
                lab.dma.stop();
                lab.dma.restart();
                task.submit();
                drain(lab);
                assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
        }
    }

    @Test
    void aTaskOfRangesRefusesBuffersAndClosedMaps() {
        try (Lab lab = new Lab(2)) {
            Buf source = lab.data(0, 64);
            Mmap memory = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE);
            DmaTask task = lab.dma.task(memory.range(0, 64), lab.memory.range(64, 64));
            String message = "Copy task of the DMA context on " + Lab.DEVICE
                    + ", NEW, copies ranges: set them by ranges(), or take a task of buffers";
            assertThatThrownBy(() -> task.source(source)).hasMessage(message);
            assertThatThrownBy(() -> task.target(source)).hasMessage(message);
            assertThatThrownBy(() -> task.ranges(memory.range(0, 64), memory.range(0, 64)))
                    .isInstanceOf(IllegalArgumentException.class);
            task.submit();
            drain(lab);
            memory.close();
            assertThatThrownBy(task::submit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(memory + " is closed");
            assertThat(task.ranges(lab.memory.range(0, 64), lab.memory.range(64, 64))
                            .status())
                    .isEqualTo(TaskStatus.SUCCEEDED);
            task.submit();
            drain(lab);
            task.close();
        }
    }

    @Test
    void aTaskOfBuffersTurnsToRanges() throws Exception {
        try (Lab lab = new Lab(1)) {
            Buf source = lab.data(0, 64);
            Buf target = lab.space(1000, 64);
            try (DmaTask task = lab.dma.task(source, target)) {
                task.submit();
                drain(lab);
                task.ranges(lab.memory.range(0, 64), lab.memory.range(2000, 64)).submit();
                drain(lab);
                lab.assertCopied(0, 1000, 64);
                lab.assertCopied(0, 2000, 64);
            }
        }
    }

    @Test
    void aGraphRunsTasksOfRanges() throws Exception {
        try (Lab lab = new Lab()) {
            fill(lab, 0, 64);
            GraphBuilder builder = Graph.builder(lab.engine);
            ContextNode first = builder.context(lab.dma);
            ContextNode second = builder.context(lab.dma);
            builder.dependency(first, second);
            try (Graph graph = builder.start();
                    DmaTask copy = lab.dma.task(lab.memory.range(0, 64), lab.memory.range(1000, 64));
                    DmaTask again = lab.dma.task(lab.memory.range(1000, 64), lab.memory.range(2000, 64));
                    GraphInstance instance = graph.instance().set(first, copy).set(second, again)) {
                for (int i = 0; i < 3; i++) {
                    lab.memory.segment().asSlice(1000, 2000).fill((byte) 0);
                    instance.submit().await();
                    assertThat(again.bytes()).isEqualTo(64);
                    lab.assertCopied(0, 2000, 64);
                }
            }
        }
    }

    @Test
    void aStopEndsCopiesAndARestartContinues() throws Exception {
        try (Lab lab = new Lab()) {
            MapRange source = lab.memory.range(0, 64);
            MapRange target = lab.memory.range(64, 64);
            List<Boolean> failures = new ArrayList<>();
            lab.dma.copy(source, target, (end, failure) -> failures.add(failure != null));
            lab.dma.stop();
            lab.awaitIdle(Await.LIMIT);
            assertThat(failures).hasSize(1);
            assertThatThrownBy(() -> lab.dma.copy(source, target, NOTHING))
                    .isInstanceOf(ContextNotRunningException.class);
            assertThat(lab.dma.copy(source, target)).isCompletedExceptionally();
            lab.dma.restart();
            assertThat(lab.dma.copy(source, target).await()).isEqualTo(64);
            assertThat(lab.dma.state()).isEqualTo(ContextState.RUNNING);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copiesOfFreedMemoryAreRefused(boolean isSource) throws Exception {
        // A task for each form, which keeps its buffers.
        try (Lab lab = new Lab(4)) {
            Arena arena = Arena.ofShared();
            Mmap freed = Mmap.registerUnchecked(lab.device, arena.allocate(4096), Access.LOCAL_READ_WRITE);
            MapRange source = (isSource ? freed : lab.memory).range(0, 64);
            MapRange target = (isSource ? lab.memory : freed).range(64, 64);
            GraphBuilder plan = Graph.builder(lab.engine);
            ContextNode node = plan.context(lab.dma);
            try (Graph graph = plan.start();
                    DmaSeries series = lab.dma.series(List.of(source), List.of(target));
                    DmaTask task = lab.dma.task(source, target);
                    DmaTask ofGraph = lab.dma.task(source, target);
                    GraphInstance instance = graph.instance().set(node, ofGraph)) {
                series.submit();
                task.submit();
                lab.dma.copy(source, target, NOTHING);
                drain(lab);
                instance.submit().await();
                arena.close();
                for (ThrowingCallable submission : List.<ThrowingCallable>of(
                        series::submit,
                        task::submit,
                        instance::submit,
                        () -> lab.dma.copy(source, target),
                        () -> lab.dma.copy(source, target, NOTHING))) {
                    assertThatThrownBy(submission)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage("The memory of " + freed + " was freed while it was mapped");
                }
            }
            freed.close();
        }
    }

    /** Releases with work queues take buffers by another function, which does not fail. */
    @Test
    @DocaEmulator
    @SuppressWarnings("try")
    void aBufferThatTheSdkRefusesHoldsNoMap() {
        try (Lab lab = new Lab()) {
            Mmap memory = Mmap.allocate(lab.device, 4096, Access.LOCAL_READ_WRITE);
            MapRange source = memory.range(0, 64);
            MapRange target = memory.range(64, 64);
            for (int call = 1; call <= 2; call++) {
                try (EmulatorFaults faults = EmulatorFaults.builder()
                        .failCall("doca_buf_inventory_buf_get_by_args", call, "NO_MEMORY")
                        .inject()) {
                    Throwable refusal = catchThrowable(() -> lab.dma.copy(source, target, NOTHING));
                    if (EmulatorFaults.failedCall().isPresent()) {
                        assertThat(refusal)
                                .isInstanceOf(DocaCallException.class)
                                .hasMessageContaining(
                                        "doca_buf_inventory_buf_get_by_args failed with DOCA_ERROR_NO_MEMORY");
                    }
                }
            }
            drain(lab);
            memory.close();
        }
    }

    @Test
    void otherThreadsAreRefused() throws Exception {
        try (Lab lab = new Lab()) {
            Throwable[] thrown = new Throwable[1];
            Thread other = new Thread(
                    () -> {
                        try {
                            lab.dma.copy(lab.memory.range(0, 64), lab.memory.range(64, 64), NOTHING);
                        } catch (Throwable failure) {
                            thrown[0] = failure;
                        }
                    },
                    "other");
            other.start();
            other.join();
            assertThat(thrown[0])
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith(" and was called by thread \"other\""
                            + ". Any thread may call the operations with a future of a context that"
                            + " was started on a ProgressLoop");
        }
    }

    private static void fill(Lab lab, long offset, long length) {
        lab.data(offset, length).close();
    }

    private static void drain(Lab lab) {
        while (lab.engine.inFlight() > 0) {
            lab.engine.progress();
        }
    }
}
