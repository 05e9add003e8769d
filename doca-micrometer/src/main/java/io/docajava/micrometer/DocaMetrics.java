/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.micrometer;

import io.docajava.core.context.Context;
import io.docajava.core.context.ContextStats;
import io.docajava.core.device.Device;
import io.docajava.core.progress.EngineStats;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.ffi.argument.Elements;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a loop, a context or a device. The registry's threads read them, without delaying the engine's thread.
 *
 * {@snippet :
 * DocaMetrics.of(loop).bindTo(registry);
 * DocaMetrics.of(dma, Tag.of("use", "checkpoints")).bindTo(registry);
 * DocaMetrics.of(device).bindTo(registry);
 * }
 *
 * <p>The meters of a loop are named {@code doca.loop...} and have the tag {@code loop}; those of a context {@code doca.context...}
 * with the tags {@code context} and {@code device}; those of a device {@code doca.device...} with the tag {@code device}. {@link
 * ContextStats} and {@link EngineStats} define the numbers. A meter refers to its object weakly, and stays in the registry until it
 * is removed there.
 */
public final class DocaMetrics implements MeterBinder {

    private final Consumer<MeterRegistry> binding;

    private DocaMetrics(Consumer<MeterRegistry> binding) {
        this.binding = binding;
    }

    /**
     * Returns the meters of a loop and of all its contexts together. Any thread may call.
     *
     * @param loop whose name is the value of the tag {@code loop}; it may be closed before the meters are removed
     * @param tags further tags of all meters, which override the tag {@code loop}
     * @return meters that {@link #bindTo} registers
     */
    public static DocaMetrics of(ProgressLoop loop, Tag... tags) {
        Objects.requireNonNull(loop, "loop");
        List<Tag> more = Elements.copy(tags, "tags");
        Tags all = Tags.of("loop", loop.thread().getName()).and(more);
        return new DocaMetrics(registry -> {
            Function<ProgressLoop, EngineStats> stats = ProgressLoop::stats;
            new Meters<>("doca.loop.", loop, all, registry)
                    .operations(
                            stats.andThen(EngineStats::queued),
                            stats.andThen(EngineStats::inFlight),
                            stats.andThen(EngineStats::completed),
                            stats.andThen(EngineStats::failed),
                            stats.andThen(EngineStats::bytes),
                            stats.andThen(EngineStats::oldestInFlight));
            FunctionCounter.builder(
                            "doca.loop.wakeups", loop, each -> each.stats().wakeUps())
                    .description("The number of times that the loop's thread has slept and continued")
                    .tags(all)
                    .register(registry);
        });
    }

    /**
     * Returns the meters of a context. Any thread may call. Distinguish contexts of one kind on one device by further tags;
     * otherwise the registry keeps only the meters of the context that was bound first.
     *
     * @param context whose description and device are the values of the tags {@code context} and {@code device}; it may be closed
     *     before the meters are removed
     * @param tags further tags of all meters, which override the tags {@code context} and {@code device}
     * @return meters that {@link #bindTo} registers
     */
    public static DocaMetrics of(Context context, Tag... tags) {
        Objects.requireNonNull(context, "context");
        List<Tag> more = Elements.copy(tags, "tags");
        Tags all = Tags.of("context", context.toString(), "device", name(context.device()))
                .and(more);
        return new DocaMetrics(registry -> {
            Function<Context, ContextStats> stats = Context::stats;
            new Meters<>("doca.context.", context, all, registry)
                    .operations(
                            stats.andThen(ContextStats::queued),
                            stats.andThen(ContextStats::inFlight),
                            stats.andThen(ContextStats::completed),
                            stats.andThen(ContextStats::failed),
                            stats.andThen(ContextStats::bytes),
                            stats.andThen(ContextStats::oldestInFlight));
        });
    }

    /**
     * Returns the meter of a device, {@code doca.device.registered}: the number of bytes of memory that are registered with it. Any
     * thread may call.
     *
     * @param device an open device, whose name is the value of the tag {@code device}
     * @param tags further tags of the meter, which override the tag {@code device}
     * @return a meter that {@link #bindTo} registers
     */
    public static DocaMetrics of(Device device, Tag... tags) {
        Objects.requireNonNull(device, "device");
        List<Tag> more = Elements.copy(tags, "tags");
        Tags all = Tags.of("device", name(device)).and(more);
        return new DocaMetrics(registry -> Gauge.builder("doca.device.registered", device, Device::registeredBytes)
                .description("The memory that is registered with the device")
                .baseUnit(BaseUnits.BYTES)
                .tags(all)
                .register(registry));
    }

    private static String name(Device device) {
        return device.info().displayName();
    }

    /** Registers the meters with a registry, whose threads may then read them at any time. */
    @Override
    public void bindTo(MeterRegistry registry) {
        binding.accept(Objects.requireNonNull(registry, "registry"));
    }

    /** Registers the meters that are common to loops and contexts. */
    private record Meters<T>(String prefix, T object, Tags tags, MeterRegistry registry) {

        void operations(
                Function<T, Long> queued,
                Function<T, Long> inFlight,
                Function<T, Long> completed,
                Function<T, Long> failed,
                Function<T, Long> bytes,
                Function<T, Duration> oldest) {
            gauge("queued", "Operations that wait for a free task, and work in the queue of a loop", queued::apply);
            gauge("in.flight", "Tasks that are submitted and have not completed", inFlight::apply);
            outcome("success", completed::apply);
            outcome("failure", failed::apply);
            FunctionCounter.builder(prefix + "moved", object, bytes::apply)
                    .description("The bytes that operations have moved")
                    .baseUnit(BaseUnits.BYTES)
                    .tags(tags)
                    .register(registry);
            TimeGauge.builder(
                            prefix + "oldest.in.flight",
                            object,
                            TimeUnit.NANOSECONDS,
                            each -> oldest.apply(each).toNanos())
                    .description("The age of the oldest operation in flight")
                    .tags(tags)
                    .register(registry);
        }

        private void gauge(String name, String description, ToDoubleFunction<T> value) {
            Gauge.builder(prefix + name, object, value)
                    .description(description)
                    .baseUnit(BaseUnits.OPERATIONS)
                    .tags(tags)
                    .register(registry);
        }

        private void outcome(String outcome, ToDoubleFunction<T> value) {
            FunctionCounter.builder(prefix + "operations", object, value)
                    .description("Operations that have ended")
                    .tags(tags)
                    .tag("outcome", outcome)
                    .register(registry);
        }
    }
}
