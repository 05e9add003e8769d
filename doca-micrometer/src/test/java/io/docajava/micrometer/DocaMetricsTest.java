/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventContext;
import io.docajava.core.sync.SyncEventOperation;
import io.docajava.core.sync.SyncLocation;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The meters, as a registry has them. */
@Timeout(600)
class DocaMetricsTest {

    private static final String DEVICE = "0000:03:00.0 (mlx5_0)";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double counted(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private double gauged(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private static SyncEventContext start(ProgressLoop loop, Device device) {
        return loop.call(engine -> SyncEvent.builder(device)
                        .publisher(SyncLocation.CPU)
                        .subscriber(SyncLocation.CPU)
                        .tasks()
                        .start(engine))
                .join();
    }

    @Test
    @SuppressWarnings("try") // the memory is registered, and that is all
    void aRegistryReadsLoopsContextsAndDevices() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                Mmap memory = Mmap.allocate(device, 8192, Access.LOCAL_READ_WRITE);
                ProgressLoop loop = ProgressLoop.builder().name("mover").start()) {
            SyncEventContext event = start(loop, device);
            DocaMetrics.of(loop).bindTo(registry);
            DocaMetrics.of(event, Tag.of("use", "test")).bindTo(registry);
            DocaMetrics.of(device).bindTo(registry);

            CompletableFuture<Long> wait = event.submit(SyncEventOperation.waitEqual(7));
            loop.call(engine -> true).join();

            String[] ofContext = {"context", event.toString(), "device", DEVICE, "use", "test"};
            assertThat(gauged("doca.context.in.flight", ofContext)).isOne();
            assertThat(gauged("doca.context.queued", ofContext)).isZero();
            assertThat(gauged("doca.loop.in.flight", "loop", "mover")).isOne();
            assertThat(registry.get("doca.loop.oldest.in.flight").timeGauge().value(TimeUnit.SECONDS))
                    .isPositive()
                    .isLessThan(60);

            event.submit(SyncEventOperation.set(7)).join();
            wait.join();

            assertThat(registry.get("doca.context.operations")
                            .tags(ofContext)
                            .tag("outcome", "success")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
            assertThat(counted("doca.context.moved", ofContext)).isEqualTo(16);
            assertThat(counted("doca.loop.moved", "loop", "mover")).isEqualTo(16);
            assertThat(counted("doca.loop.operations", "loop", "mover", "outcome", "success"))
                    .isEqualTo(2);
            assertThat(counted("doca.loop.operations", "loop", "mover", "outcome", "failure"))
                    .isZero();
            assertThat(counted("doca.loop.wakeups", "loop", "mover")).isNotNegative();
            assertThat(gauged("doca.device.registered", "device", DEVICE)).isEqualTo(8192);
            assertThat(registry.get("doca.device.registered").gauge().getId().getBaseUnit())
                    .isEqualTo("bytes");
        }
    }

    @Test
    void theMetersOutliveTheirContext() {
        try (Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));
                ProgressLoop loop = ProgressLoop.start()) {
            SyncEventContext event = start(loop, device);
            DocaMetrics.of(event).bindTo(registry);
            event.submit(SyncEventOperation.set(7)).join();
            loop.call(engine -> {
                        event.close();
                        return true;
                    })
                    .join();
            assertThat(gauged("doca.context.in.flight")).isZero();
            assertThat(counted("doca.context.operations", "outcome", "success")).isOne();
            assertThat(event.state()).isEqualTo(ContextState.IDLE);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // that is the test
    void nullIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> DocaMetrics.of((ProgressLoop) null))
                .withMessage("loop");
        assertThatNullPointerException()
                .isThrownBy(() -> DocaMetrics.of((Device) null))
                .withMessage("device");
    }
}
