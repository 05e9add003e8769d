/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Runs the twin in C before each iteration of a benchmark, for the same time, so that noise of the machine affects both. It does
 * nothing while the iteration runs. JMH itself can use it: {@code -prof io.docajava.benchmarks.pair.PairProfiler}.
 */
public final class PairProfiler implements InternalProfiler {

    /** The name of the result with the time of one operation in C. */
    public static final String C_NANOS = "cNanos";

    /** The name of the result with the bytes on the heap of one operation in Java. */
    public static final String BYTES = "bytesPerOp";

    private @Nullable CWorker worker;
    private double nanos = Double.NaN;

    @Override
    public String getDescription() {
        return "The same loop in C before each iteration";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        Optional<String> twin = twin(benchmark.getBenchmark());
        if (twin.isEmpty()) {
            return;
        }
        Duration time = Duration.ofNanos(iteration.getTime().convertTo(TimeUnit.NANOSECONDS));
        try {
            if (worker == null) {
                worker = CWorker.start();
            }
            nanos = worker.run(twin.get(), parameter(benchmark, "size"), (int) parameter(benchmark, "depth"), time)
                    .nanosPerOperation();
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // JMH's signature
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        List<ScalarResult> results = new ArrayList<>();
        double bytes = Allocations.takeLast();
        if (iteration.getType() == IterationType.MEASUREMENT) {
            add(results, C_NANOS, nanos, "ns/op");
            add(results, BYTES, bytes, "B/op");
        }
        return results;
    }

    private static void add(List<ScalarResult> results, String name, double value, String unit) {
        if (!Double.isNaN(value)) {
            results.add(new ScalarResult(name, value, unit, AggregationPolicy.AVG));
        }
    }

    /** Returns the case in C of a benchmark, which is named by class and method. */
    static Optional<String> twin(String benchmark) {
        int dot = benchmark.lastIndexOf('.');
        try {
            return Arrays.stream(Class.forName(benchmark.substring(0, dot)).getMethods())
                    .filter(method -> method.getName().equals(benchmark.substring(dot + 1)))
                    .map((Method method) -> method.getAnnotation(Twin.class))
                    .filter(Objects::nonNull)
                    .map(Twin::value)
                    .findFirst();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("JMH ran a benchmark that is not there: " + benchmark, e);
        }
    }

    /** Returns a parameter. A benchmark without it has one operation at a time, of any size. */
    private static long parameter(BenchmarkParams benchmark, String name) {
        String value = benchmark.getParam(name);
        return value == null ? (name.equals("size") ? 64 : 1) : Long.parseLong(value);
    }
}
