/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A performance goal.
 *
 * @param what the measured quantity
 * @param goal the required value
 * @param figure the actual value
 * @param verdict whether the goal is reached
 */
public record Goal(String what, String goal, String figure, Verdict verdict) {

    /** Verdicts about a goal. */
    public enum Verdict {
        REACHED("reached"),
        NOT_REACHED("NOT reached"),
        NOT_MEASURED("not measured");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        /** {@return the text in tables} */
        @Override
        public String toString() {
            return text;
        }

        private static Verdict of(boolean reached) {
            return reached ? REACHED : NOT_REACHED;
        }
    }

    private static final double RAW_RATIO = 0.90;
    private static final double RAW_ADDED_NANOS = 15;
    /** The time that the translation may add to an operation, on top of the time that Java adds without it. */
    private static final double TRANSLATION_NANOS = 30;

    private static final double TRANSLATION_RATIO = 0.95;
    private static final double LARGE_RATIO = 0.97;
    private static final double RDMA_RATIO = 0.90;
    private static final double LOOP_RATE = 1.5e6;
    /** The number of copies in flight of all four callers together. */
    private static final int LOOP_DEPTH = 256;

    private static final double PEER_FACTOR = 3;
    private static final double START_FACTOR = 2;

    /** Returns all goals, with their verdicts for some figures. */
    public static List<Goal> of(List<Figure> figures) {
        List<Goal> goals = new ArrayList<>();
        goals.add(small(figures, "raw", "a prepared series"));
        goals.add(small(figures, "batch", "tasks in a batch"));
        for (int size : List.of(4096, 65536, 1 << 20)) {
            goals.add(large(figures, size));
        }
        goals.add(translation(figures));
        goals.add(ratio(
                figures,
                "raw-2.2",
                4096,
                TRANSLATION_RATIO,
                "DMA 4 KiB, depth 32, raw on release 2.2, throughput Java/C on work queues"));
        for (String name : List.of("raw", "callback")) {
            goals.add(bytes(figures, name));
        }
        for (String threads : List.of("platform", "virtual")) {
            goals.add(loop(figures, threads));
        }
        goals.add(peer(figures, "raw"));
        goals.add(peer(figures, "batch"));
        for (String operation : List.of("write", "send")) {
            goals.add(rdma(figures, operation, 64, RDMA_RATIO));
            goals.add(rdma(figures, operation, 65536, LARGE_RATIO));
        }
        for (String name : List.of("rdma-write", "rdma-write-callback")) {
            goals.add(bytes(figures, name));
        }
        goals.add(start(figures, "startup-aot-plain", "relative to a JVM that prints one line"));
        goals.add(start(figures, "startup-aot", "relative to a JVM that prints one line, also with one"));
        return goals;
    }

    /** Returns the goals as a table. */
    public static Table table(List<Goal> goals) {
        Table table = new Table("what", "goal", "figure", "");
        goals.forEach(goal -> table.row(goal.what, goal.goal, goal.figure, goal.verdict.toString()));
        return table;
    }

    private static Goal small(List<Figure> figures, String name, String form) {
        String what = "DMA 64 B, depth 32, " + name + " (" + form + "), throughput Java/C";
        String goal = "at least 0.90, at most 15 ns added";
        return find(figures, name, 64)
                .filter(figure -> figure.ratio() != null && figure.addedNanos() != null)
                .map(figure -> new Goal(
                        what,
                        goal,
                        Numbers.ratio(figure.ratio()) + ", " + Numbers.nanos(figure.addedNanos()) + " ns",
                        Verdict.of(
                                median(figure.ratio()) >= RAW_RATIO && median(figure.addedNanos()) <= RAW_ADDED_NANOS)))
                .orElseGet(() -> notMeasured(what, goal));
    }

    private static Goal translation(List<Figure> figures) {
        String what = "DMA 64 B, depth 32, raw: added on release 2.2 (C on work queues) minus added on 3.0";
        String goal = "at most 30 ns more";
        Optional<Double> translated = find(figures, "raw-2.2", 64).map(figure -> median(figure.addedNanos()));
        Optional<Double> direct = find(figures, "raw", 64).map(figure -> median(figure.addedNanos()));
        if (translated.isEmpty() || direct.isEmpty()) {
            return notMeasured(what, goal);
        }
        return new Goal(
                what,
                goal,
                Numbers.nanos(translated.get()) + " ns - " + Numbers.nanos(direct.get()) + " ns",
                Verdict.of(translated.get() - direct.get() <= TRANSLATION_NANOS));
    }

    private static Goal large(List<Figure> figures, int size) {
        String what = "DMA " + Numbers.size(size) + ", depth 32, raw, throughput Java/C";
        return ratio(figures, "raw", size, LARGE_RATIO, what);
    }

    private static Goal rdma(List<Figure> figures, String operation, int size, double least) {
        String what =
                "RDMA " + operation + " " + Numbers.size(size) + ", depth 32, tasks in a batch, throughput Java/C";
        return ratio(figures, "rdma-" + operation, size, least, what);
    }

    private static Goal ratio(List<Figure> figures, String name, int size, double least, String what) {
        String goal = Numbers.format("at least %.2f", least);
        return find(figures, name, size)
                .filter(figure -> figure.ratio() != null)
                .map(figure -> new Goal(
                        what, goal, Numbers.ratio(figure.ratio()), Verdict.of(median(figure.ratio()) >= least)))
                .orElseGet(() -> notMeasured(what, goal));
    }

    private static Goal bytes(List<Figure> figures, String name) {
        String what = "allocated by " + name + ", 64 B, depth 32";
        String goal = "0 B per operation";
        return find(figures, name, 64)
                .filter(figure -> figure.bytesPerOp() != null)
                .map(figure -> new Goal(
                        what,
                        goal,
                        Numbers.bytes(figure.bytesPerOp()) + " B",
                        Verdict.of(Double.valueOf(0).equals(figure.bytesPerOp()))))
                .orElseGet(() -> notMeasured(what, goal));
    }

    private static Goal loop(List<Figure> figures, String threads) {
        String what = "ProgressLoop with futures, 4 callers (" + threads + " threads), 64 B, depth 256";
        String goal = "at least 1.5 million per second";
        return figures.stream()
                .filter(figure -> figure.is("loop-" + threads, 64, LOOP_DEPTH))
                .findFirst()
                .map(figure -> 1e9 / figure.javaNanos().median())
                .map(rate -> new Goal(
                        what,
                        goal,
                        Numbers.format("%.2f million per second", rate / 1e6),
                        Verdict.of(rate >= LOOP_RATE)))
                .orElseGet(() -> notMeasured(what, goal));
    }

    private static Goal peer(List<Figure> figures, String name) {
        String what = "added cost of plain jextract + upcalls, relative to " + name + ", 64 B, depth 32";
        String goal = "at least 3 times";
        Optional<Double> plain = find(figures, "jextract", 64).map(figure -> median(figure.addedNanos()));
        Optional<Double> raw = find(figures, name, 64).map(figure -> median(figure.addedNanos()));
        if (plain.isEmpty() || raw.isEmpty()) {
            return notMeasured(what, goal);
        }
        String times = raw.get() <= 0 ? "more than any number of" : Numbers.format("%.1f", plain.get() / raw.get());
        return new Goal(
                what,
                goal,
                Numbers.nanos(plain.get()) + " ns to " + Numbers.nanos(raw.get()) + " ns: " + times + " times",
                Verdict.of(plain.get() >= PEER_FACTOR * raw.get()));
    }

    private static Goal start(List<Figure> figures, String name, String baseline) {
        String what = "JVM start to first copy with an AOT cache, " + baseline;
        String goal = "at most 2 times";
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .map(figure -> new Goal(
                        what,
                        goal,
                        Numbers.ratio(figure.ratio()) + " times",
                        Verdict.of(median(figure.ratio()) <= START_FACTOR)))
                .orElseGet(() -> notMeasured(what, goal));
    }

    private static Goal notMeasured(String what, String goal) {
        return new Goal(what, goal, "-", Verdict.NOT_MEASURED);
    }

    private static Optional<Figure> find(List<Figure> figures, String name, int size) {
        return figures.stream().filter(figure -> figure.is(name, size, 32)).findFirst();
    }

    private static double median(@Nullable Spread spread) {
        return spread == null ? Double.NaN : spread.median();
    }
}
