/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.DocaException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.progress.ProgressLoop;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests calls by other threads while the thread of a loop does not come to them. */
@Timeout(600)
class BusyLoopTest {

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private Device device;
    private ProgressLoop loop;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        loop = ProgressLoop.builder().name("busy").start();
    }

    @AfterEach
    void close() {
        released.countDown();
        loop.close();
        device.close();
    }

    private void block() {
        blocked.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStartDoesNotWaitForEver() throws Exception {
        AtomicInteger changes = new AtomicInteger();
        DmaContextBuilder builder = DmaContext.builder(device)
                .closeTimeout(Duration.ofMillis(1))
                .listener((context, previous, next) -> changes.incrementAndGet());
        loop.execute(this::block);
        blocked.await();
        assertThatThrownBy(() -> builder.start(loop))
                .isExactlyInstanceOf(DocaException.class)
                .hasMessageMatching("A context on 0000:03:00.0 \\(mlx5_0\\) cannot be started"
                        + ": ProgressLoop \"busy\" has not come to that for 1 s, as its thread is busy in .*"
                        + "BusyLoopTest\\.block\\(BusyLoopTest\\.java:[0-9]+\\): the cause shows where\\."
                        + " It will not do it later\\.")
                .hasRootCauseMessage("Stack of thread \"busy\"");
        released.countDown();
        // Queued behind what was given up.
        assertThat(loop.call(engine -> 5).join()).isEqualTo(5);
        assertThat(changes).hasValue(0);
    }

    @Test
    void aStartThatWasGivenUpHalfwayIsUndone() throws Exception {
        AtomicReference<Context> started = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        DmaContextBuilder builder = DmaContext.builder(device)
                .closeTimeout(Duration.ofMillis(1))
                .listener((context, previous, next) -> {
                    started.set(context);
                    if (next == ContextState.RUNNING) {
                        block();
                    } else if (next == ContextState.IDLE) {
                        closed.countDown();
                    }
                });
        assertThatThrownBy(() -> builder.start(loop))
                .isExactlyInstanceOf(DocaException.class)
                .hasMessageMatching("A context on 0000:03:00.0 \\(mlx5_0\\) cannot be started"
                        + ": ProgressLoop \"busy\" has begun that and has not ended it for 2 s, as its thread is busy in .*"
                        + "BusyLoopTest\\.block\\(BusyLoopTest\\.java:[0-9]+\\): the cause shows where\\."
                        + " It goes on\\.");
        released.countDown();
        closed.await();
        assertThatThrownBy(() -> loop.call(engine -> {
                            ((DmaContext) started.get()).flush();
                            return true;
                        })
                        .join())
                .hasRootCauseMessage("DMA context on 0000:03:00.0 (mlx5_0) is closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"closed", "stopped", "restarted"})
    void callsDoNotWaitForEver(String purpose) throws Exception {
        DmaContext dma =
                DmaContext.builder(device).closeTimeout(Duration.ofMillis(1)).start(loop);
        loop.execute(this::block);
        blocked.await();
        Consumer<DmaContext> call = switch (purpose) {
            case "closed" -> DmaContext::close;
            case "stopped" -> DmaContext::stop;
            default -> DmaContext::restart;
        };
        assertThatThrownBy(() -> call.accept(dma))
                .isExactlyInstanceOf(DocaException.class)
                .hasMessageMatching("DMA context on 0000:03:00.0 \\(mlx5_0\\) cannot be " + purpose
                        + ": ProgressLoop \"busy\" has not come to that for 1 s, as its thread is busy in .*"
                        + "BusyLoopTest\\.block\\(BusyLoopTest\\.java:[0-9]+\\): the cause shows where\\."
                        + " It will not do it later\\.")
                .hasRootCauseMessage("Stack of thread \"busy\"");
        released.countDown();
        // Queued behind what was given up.
        assertThat(loop.call(engine -> dma.state()).join()).isEqualTo(ContextState.RUNNING);
        dma.close();
    }
}
