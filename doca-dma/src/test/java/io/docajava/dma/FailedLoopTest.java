/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.docajava.core.DocaCallException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.junit.DocaEmulator;
import io.docajava.junit.DocaExtension;
import io.docajava.testing.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what other threads do with the context of a loop that has failed. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
class FailedLoopTest {

    private static final String CONTEXT = "DMA context on 0000:03:00.0 (mlx5_0)";

    /** Makes the loop fail with the next round. */
    private volatile boolean broken;

    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final ProgressLoop.Builder builder = ProgressLoop.builder()
            .name("broken")
            .idleStrategy(work -> {
                if (broken) {
                    throw new IllegalStateException("broken idle strategy");
                }
            })
            .errorHandler(failure -> {
                failed.countDown();
                awaitUninterrupted(mayEnd);
            });
    private Device device;
    private Mmap memory;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        memory = Mmap.allocate(device, 4096, Access.LOCAL_READ_WRITE);
    }

    @AfterEach
    void close() {
        mayEnd.countDown();
        memory.close();
        device.close();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private MapRange source() {
        return memory.range(0, 64);
    }

    private MapRange target() {
        return memory.range(1024, 64);
    }

    @Test
    void theLoopClosesItsContexts() throws Exception {
        mayEnd.countDown();
        ProgressLoop loop = builder.start();
        DmaContext dma = DmaContext.builder(device).start(loop);
        assertThat(dma.copy(source(), target()).join()).isEqualTo(64);
        broken = true;
        loop.thread().join();
        assertThatThrownBy(() -> dma.copy(source(), target()))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(CONTEXT + " is closed");
        assertThatThrownBy(() -> DmaContext.builder(device).start(loop))
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessage("ProgressLoop \"broken\" has failed")
                .hasRootCauseMessage("broken idle strategy");
        dma.close();
        dma.close();
        loop.close();
    }

    @Test
    void aCloseWaitsForTheEndOfTheThread() throws Exception {
        ProgressLoop loop = builder.start();
        DmaContext dma = DmaContext.builder(device).start(loop);
        broken = true;
        failed.await();
        FutureTask<@Nullable Throwable> closer = new FutureTask<>(() -> catchThrowable(dma::close));
        Thread thread = Thread.ofPlatform().start(closer);
        Await.until(() -> thread.getState() == Thread.State.TIMED_WAITING, "the thread to wait");
        assertThat(closer.isDone()).isFalse();
        mayEnd.countDown();
        assertThat(closer.get()).isNull();
        assertThatThrownBy(dma::flush)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(CONTEXT);
        loop.close();
    }

    @Test
    void aCloseDoesNotWaitForAThreadThatDoesNotEnd() throws Exception {
        ProgressLoop loop = builder.start();
        DmaContext dma =
                DmaContext.builder(device).closeTimeout(Duration.ofMillis(1)).start(loop);
        broken = true;
        failed.await();
        assertThatThrownBy(dma::close)
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessage("ProgressLoop \"broken\" has failed")
                .hasRootCauseMessage("broken idle strategy");
        assertThatThrownBy(dma::stop)
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessage("ProgressLoop \"broken\" has failed");
        mayEnd.countDown();
        loop.close();
        dma.close();
    }

    @Test
    @DocaEmulator
    @SuppressWarnings("try")
    void anyThreadClosesWhatTheLoopCouldNotClose() throws Exception {
        mayEnd.countDown();
        ProgressLoop loop = builder.closeTimeout(Duration.ofSeconds(1)).start();
        DmaContext dma = DmaContext.builder(device).start(loop);
        Completion<Long> copy;
        boolean hasRefused;
        try (EmulatorFaults faults = EmulatorFaults.builder()
                .delay(Duration.ofHours(1))
                .failCall("doca_ctx_stop", 1, "DRIVER")
                .inject()) {
            copy = dma.copy(source(), target());
            loop.call(engine -> true).join();
            broken = true;
            loop.thread().join();
            hasRefused = EmulatorFaults.failedCall().isPresent();
        }
        Throwable failure = catchThrowable(loop::close);
        ContextState left = dma.state();
        dma.close();
        assertThat(dma.state()).isEqualTo(ContextState.IDLE);
        loop.close();
        loop.engine().close();
        assertThat(copy)
                .failsWithin(Await.LIMIT)
                .withThrowableOfType(ExecutionException.class)
                .havingRootCause()
                .withMessage("broken idle strategy");
        assumeTrue(hasRefused, "This release has another name for the function");
        assertThat(left).isEqualTo(ContextState.RUNNING);
        assertThat(failure)
                .isExactlyInstanceOf(DocaCallException.class)
                .hasMessageStartingWith("Stopping the " + CONTEXT + ": doca_ctx_stop failed with DOCA_ERROR_DRIVER");
    }
}
