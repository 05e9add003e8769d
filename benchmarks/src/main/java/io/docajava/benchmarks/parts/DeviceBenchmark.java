/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.parts;

import io.docajava.benchmarks.BenchDevice;
import io.docajava.benchmarks.pair.Twin;
import io.docajava.core.device.Device;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Finds, opens and closes a device. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class DeviceBenchmark {

    /** The device that copies are measured on. */
    @Benchmark
    @Twin("device_open")
    public String deviceOpen() {
        try (Device device = BenchDevice.open()) {
            return device.info().displayName();
        }
    }
}
