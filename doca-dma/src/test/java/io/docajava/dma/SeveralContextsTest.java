/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import io.docajava.testing.CompletionModes;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests contexts of the same device and of different devices on one engine, also if their devices are closed first. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class SeveralContextsTest extends CompletionModes {

    private static final Pattern TASK = Pattern.compile("task 0x[0-9a-f]+: ");

    @Test
    void contextsOfDifferentDevicesShareAnEngine() throws Exception {
        try (Lab lab = new Lab();
                Device second = Device.open(DeviceFilter.pciAddress("03:00.1"));
                DmaContext other = DmaContext.builder(second).start(lab.engine);
                Mmap memory = Mmap.allocate(second, 4096, Access.LOCAL_READ_WRITE)) {
            Completion<Long> here = lab.dma.copy(lab.memory.range(0, 64), lab.memory.range(1000, 64));
            Completion<Long> there = other.copy(memory.range(0, 64), memory.range(1000, 64));
            assertThat(lab.engine.inFlight()).isEqualTo(2);
            assertThat(here.await()).isEqualTo(64);
            assertThat(there.await()).isEqualTo(64);
            assertThatThrownBy(() -> other.copy(lab.memory.range(0, 64), lab.memory.range(2000, 64)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("which is not registered with 0000:03:00.1 (mlx5_1)");
            assertThatThrownBy(second::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("DMA context on 0000:03:00.1 (mlx5_1)");
        }
    }

    /** Two contexts fail, mostly in one round of progress. The SDK's log has lines about both. */
    @Test
    void aFailureQuotesItsOwnReasonOnly() throws Exception {
        Requirements.engine();
        try (Lab lab = new Lab();
                DmaContext second = DmaContext.builder(lab.device).start(lab.engine)) {
            Buf bad = lab.data(0, 64);
            Buf worse = lab.data(64, 64);
            Lab.spoil(bad);
            Lab.spoil(worse);
            List<Completion<Long>> copies =
                    List.of(lab.dma.copy(bad, lab.space(1000, 64)), second.copy(worse, lab.space(2000, 64)));
            lab.engine.await(() -> copies.stream().allMatch(Completion::isDone), Await.LIMIT);
            List<String> reasons = new ArrayList<>();
            for (Completion<Long> copy : copies) {
                String failure = catchThrowable(() -> copy.await()).toString();
                assertThat(failure).startsWith(TaskFailedException.class.getName());
                List<String> tasks =
                        TASK.matcher(failure).results().map(MatchResult::group).toList();
                assertThat(tasks).as(failure).hasSize(1);
                reasons.addAll(tasks);
            }
            assertThat(reasons.get(0)).isNotEqualTo(reasons.get(1));
        }
    }

    /** One of four contexts fails repeatedly and its listener restarts it, without any effect on the others. */
    @Test
    void oneFailsAndTheOthersContinue() throws Exception {
        try (Lab lab = new Lab();
                DmaContext second = DmaContext.builder(lab.device).start(lab.engine);
                DmaContext third = DmaContext.builder(lab.device).start(lab.engine)) {
            Buf bad = lab.data(0, 64);
            Buf good = lab.data(100, 64);
            Lab.spoil(bad);
            lab.dma.addListener((context, previous, next) -> {
                if (next == ContextState.IDLE) {
                    context.restart();
                }
            });
            int[] copied = {0};
            int[] failed = {0};
            for (DmaContext healthy : List.of(second, third)) {
                Buf target = lab.space(healthy == second ? 1000 : 2000, 64);
                healthy.copy(
                        good,
                        target,
                        new Repeat(
                                () -> {
                                    target.clear();
                                    copied[0]++;
                                    return failed[0] < 20;
                                },
                                healthy));
            }
            Buf wasted = lab.space(3000, 64);
            while (failed[0] < 20) {
                if (lab.dma.state() == ContextState.RUNNING) {
                    Completion<Long> failing = lab.dma.copy(bad, wasted);
                    assertThatThrownBy(() -> failing.await())
                            .isInstanceOfSatisfying(
                                    TaskFailedException.class,
                                    failure -> assertThat(failure.isRootCause()).isTrue());
                    failed[0]++;
                }
                lab.engine.progress();
                assertThat(second.state()).isEqualTo(ContextState.RUNNING);
                assertThat(third.state()).isEqualTo(ContextState.RUNNING);
                assertThat(second.failure()).isEmpty();
            }
            second.drain(Await.LIMIT);
            third.drain(Await.LIMIT);
            assertThat(copied[0]).isGreaterThanOrEqualTo(2);
            assertThat(lab.reported).isEmpty();
        }
    }

    /** Either the context exists first and the device cannot be closed, or the device is closed and the context is refused. */
    @Test
    void aDeviceIsNotClosedUnderAContextBeingCreated() throws Exception {
        try (Lab lab = new Lab()) {
            int contexts = 0;
            for (int round = 0; round < 100; round++) {
                Device device = Device.open(DeviceFilter.pciAddress("03:00.1"));
                CyclicBarrier start = new CyclicBarrier(2);
                List<Throwable> refusedClose = new ArrayList<>();
                Thread closer = Thread.ofPlatform().start(() -> {
                    try {
                        start.await(Await.LIMIT_S, TimeUnit.SECONDS);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    Throwable refusal = catchThrowable(device::close);
                    if (refusal != null) {
                        refusedClose.add(refusal);
                    }
                });
                start.await(Await.LIMIT_S, TimeUnit.SECONDS);
                List<DmaContext> created = new ArrayList<>();
                Throwable refusal = catchThrowable(
                        () -> created.add(DmaContext.builder(device).start(lab.engine)));
                closer.join();
                if (refusal == null) {
                    contexts++;
                    assertThat(refusedClose)
                            .singleElement()
                            .satisfies(
                                    close -> assertThat(close)
                                            .isInstanceOf(IllegalStateException.class)
                                            .hasMessageMatching(
                                                    "Device 0000:03:00.1 \\(mlx5_1\\) cannot be closed while in use"
                                                            + " by: (.*, )?(a )?DMA context (on 0000:03:00.1 \\(mlx5_1\\)|being created)"));
                    created.getFirst().close();
                    device.close();
                } else {
                    assertThat(refusal)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageMatching("Device 0000:03:00.1 \\(mlx5_1\\) is (being )?closed");
                    assertThat(refusedClose).isEmpty();
                }
            }
            assertThat(contexts).isPositive();
        }
    }

    @Test
    void aSourceOfSeveralContextsIsWhatItWasSetToForAllOfThem() throws Exception {
        try (Lab lab = new Lab();
                DmaContext second = DmaContext.builder(lab.device).start(lab.engine)) {
            Buf source = lab.data(0, 128);
            source.setData(64, 64);
            Buf wide = lab.space(2000, 128);
            try (DmaSeries series =
                    second.series(List.of(lab.memory.range(64, 64)), List.of(lab.memory.range(3000, 64)))) {
                Completion<Long> first = lab.dma.copy(source, lab.space(1000, 64));
                assertThat(second.copy(source, wide).await()).isEqualTo(64);
                series.submit();
                while (!series.isDone()) {
                    lab.engine.progress();
                }
                assertThat(series.failure()).isEmpty();
                assertThat(first.await()).isEqualTo(64);
            }
            lab.assertCopied(64, 1000, 64);
            lab.assertCopied(64, 2000, 64);
            lab.assertCopied(64, 3000, 64);
            assertThat(lab.memory.segment().get(ValueLayout.JAVA_BYTE, 2064)).isZero();
        }
    }
}
