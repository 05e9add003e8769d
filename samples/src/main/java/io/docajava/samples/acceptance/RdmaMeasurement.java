/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs the sample rdma_perf between two processes, and adds its tables to the report. */
final class RdmaMeasurement {

    private final StepRunner steps;
    private final Path logs;
    private final Path shared;

    RdmaMeasurement(StepRunner steps, Path logs, Path shared) {
        this.steps = steps;
        this.logs = logs;
        this.shared = shared;
    }

    void run(int iterations, Report report) throws InterruptedException {
        List<String> arguments = List.of(
                "rdma_perf", "--exchange", "unix:" + shared.resolve("exchange"), "-n", Integer.toString(iterations));
        Program first = Program.sample(logs.resolve("rdma_perf-1.log"), Map.of(), arguments);
        Program second = Program.sample(logs.resolve("rdma_perf-2.log"), Map.of(), arguments);
        if (steps.endBoth("rdma_perf", first, second)) {
            // Either may have come first; the other one prints the tables.
            String tables = second.output().contains("#bytes") ? second.output() : first.output();
            report.addTables(tables.lines()
                    .filter(line -> !StepRunner.isLogged(line))
                    .collect(Collectors.joining("\n"))
                    .strip());
        }
    }
}
