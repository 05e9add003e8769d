/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import io.docajava.benchmarks.pair.Pair;
import io.docajava.benchmarks.report.Figure;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures cases in rounds: each case gets a new JVM in each round, until the time is used up. */
public final class Session {

    private final CaseRunner runner;
    private final Effort effort;
    private final PrintStream progress;
    private final long startNanos;

    private final Map<BenchCase, List<Pair>> pairs = new LinkedHashMap<>();
    private final Map<BenchCase, String> failures = new LinkedHashMap<>();
    private long longestNanos;

    /**
     * Creates a session that has measured nothing.
     *
     * @param startNanos the start of the time budget, by {@link System#nanoTime()}
     */
    public Session(CaseRunner runner, Effort effort, PrintStream progress, long startNanos) {
        this.runner = runner;
        this.effort = effort;
        this.progress = progress;
        this.startNanos = startNanos;
    }

    /** Runs the first round of all cases. */
    public void measureOnce(List<BenchCase> cases) {
        cases.forEach(this::measure);
    }

    /** Runs the further rounds of all cases that did not fail, within the time budget. */
    public void measureAgain() {
        for (int round = 1; round < effort.rounds(); round++) {
            for (BenchCase next : List.copyOf(pairs.keySet())) {
                if (System.nanoTime() - startNanos + longestNanos
                        > effort.budget().toNanos()) {
                    return;
                }
                measure(next);
            }
        }
    }

    private void measure(BenchCase next) {
        long begin = System.nanoTime();
        progress.print(next.name() + " ... ");
        progress.flush();
        try {
            List<Pair> measured = runner.measure(next);
            pairs.computeIfAbsent(next, ignored -> new ArrayList<>()).addAll(measured);
            progress.printf("%.1f ns%n", measured.getLast().javaNanos());
        } catch (CaseRunner.CaseFailure e) {
            progress.println("failed: " + e.getMessage());
            failures.put(next, String.valueOf(e.getMessage()));
            pairs.remove(next);
        }
        longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
    }

    /** Returns the figures, in the order of the first round. */
    public List<Figure> figures() {
        return pairs.entrySet().stream()
                .map(entry -> {
                    BenchCase measured = entry.getKey();
                    return Figure.ofPairs(
                            measured.api().id(),
                            measured.size() == 0 ? null : measured.size(),
                            measured.depth() == 0 ? null : measured.depth(),
                            entry.getValue());
                })
                .toList();
    }

    /** Returns the cases that could not be measured, with the reasons. */
    public Map<BenchCase, String> failures() {
        return failures;
    }
}
