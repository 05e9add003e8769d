/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma.faults;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.IdleStrategy;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncLocation;
import io.docajava.dma.DmaContext;
import io.docajava.dma.Requirements;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.testing.Work;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests delayed completions. */
@Timeout(600)
@SuppressWarnings("try")
@DocaEmulator
class DelayTest {

    private static final Duration DELAY = Duration.ofMillis(20);

    private static EmulatorFaults delay(Duration delay) {
        return EmulatorFaults.builder().delay(delay).inject();
    }

    private static List<IdleStrategy> strategies() {
        return List.of(IdleStrategy.eventDriven(), IdleStrategy.busySpin(), IdleStrategy.backoff());
    }

    @Test
    void aCopyIsNotDoneBeforeItsTime() throws Exception {
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = delay(DELAY)) {
            long begin = System.nanoTime();
            assertThat(lab.copy(0).await()).isEqualTo(FaultLab.BLOCK);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(DELAY.toNanos());
            assertThat(lab.isCopied(0)).isTrue();
        }
    }

    @Test
    void aSleepingEngineIsWokenInTime() throws Exception {
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = delay(DELAY)) {
            long begin = System.nanoTime();
            Completion<Long> copy = lab.copy(0);
            while (!copy.isDone()) {
                lab.engine.progressAll();
                if (!copy.isDone()) {
                    assertThat(lab.engine.awaitEvent(FaultLab.LONG)).isTrue();
                }
            }
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(DELAY.toNanos());
        }
    }

    @Test
    void aWaitThatTimedOutCanBeRepeated() throws Exception {
        try (FaultLab lab = new FaultLab()) {
            Completion<Long> copy;
            try (EmulatorFaults faults = delay(Duration.ofHours(24))) {
                copy = lab.copy(0);
                assertThatThrownBy(() -> copy.await(Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);
                assertThatThrownBy(() -> lab.dma.drain(Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);
                assertThat(lab.dma.inFlight()).isOne();
                assertThat(copy).isNotDone();
            }
            assertThat(copy.await(FaultLab.LONG)).isEqualTo(FaultLab.BLOCK);
        }
    }

    /** The SDK reports such a task as failed, with the status SUCCESS. */
    @Test
    void anEventThatStopsPassesOnWhatItHasDone() throws Exception {
        Requirements.engine();
        MemorySegment value = Arena.global().allocateFrom(JAVA_LONG, 5);
        try (Device device = Device.open(DeviceFilter.ibDevice("mlx5_0"));
                ProgressEngine engine = ProgressEngine.create();
                SyncEventContext event = SyncEvent.builder(device)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .memory(value)
                        .tasks()
                        .start(engine);
                EmulatorFaults faults = delay(Duration.ofHours(24))) {
            Completion<Long> add = event.submit(SyncEventOperation.add(3));
            while (value.get(JAVA_LONG, 0) == 5) {
                engine.progress();
            }
            assertThat(add).isNotDone();
            event.stop();
            assertThat(add.await(FaultLab.LONG)).isEqualTo(5);
        }
    }

    @Test
    void aStopDoesNotWait() throws Exception {
        Requirements.engine();
        try (FaultLab lab = new FaultLab();
                EmulatorFaults faults = delay(Duration.ofHours(24))) {
            Completion<Long> copy = lab.copy(0);
            assertThat(lab.engine.progressAll()).isZero();
            lab.dma.stop();
            lab.awaitIdle();
            assertThat(copy).isDone();
            lab.dma.restart();
            Completion<Long> another = lab.copy(1);
            lab.dma.close();
            assertThat(another).isDone();
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aLoopDeliversWhatIsDelayed(IdleStrategy strategy) {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.allocate(device, 1 << 16, Access.LOCAL_READ_WRITE);
                ProgressLoop loop =
                        ProgressLoop.builder().idleStrategy(strategy).start();
                EmulatorFaults faults = delay(DELAY)) {
            long begin = System.nanoTime();
            DmaContext dma = loop.call(
                            engine -> DmaContext.builder(device).maxTasks(32).start(engine))
                    .join();
            List<CompletableFuture<Long>> copies = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                long offset = i * 64L;
                copies.add(Work.on(loop, () -> dma.copy(memory.range(offset, 64), memory.range(32_768 + offset, 64))));
            }
            assertThat(copies).allMatch(copy -> copy.join() == 64);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(DELAY.toNanos());
            loop.call(engine -> {
                        dma.close();
                        return true;
                    })
                    .join();
        }
    }

    /** The thread of the loop sleeps for a day unless it is woken. */
    @Test
    void aSleepingLoopIsWokenWhenTheFaultsEnd() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.allocate(device, 1 << 16, Access.LOCAL_READ_WRITE);
                ProgressLoop loop = ProgressLoop.builder()
                        .idleStrategy(IdleStrategy.eventDriven())
                        .start()) {
            DmaContext dma = loop.call(engine -> DmaContext.builder(device).start(engine))
                    .join();
            CompletableFuture<Long> copy;
            try (EmulatorFaults faults = delay(Duration.ofHours(24))) {
                copy = Work.on(loop, () -> dma.copy(memory.range(0, 64), memory.range(64, 64)));
                assertThat(loop.call(engine -> dma.inFlight()).join()).isOne();
                assertThat(copy).isNotDone();
            }
            assertThat(copy.join()).isEqualTo(64);
            loop.call(engine -> {
                        dma.close();
                        return true;
                    })
                    .join();
        }
    }
}
