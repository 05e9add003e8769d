/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import java.util.Arrays;
import java.util.Locale;

/** Prints results in the tables of perftest, in which 1 MB has 1048576 bytes. */
@SuppressWarnings("SystemOut") // the table is not a log
final class PerfTable {

    private static final String RULE = "-".repeat(130);
    private static final double MB = 1 << 20;
    private static final int WINDOWS = 10;

    private PerfTable() {}

    static void printBandwidthHead(PerfOperation operation) {
        System.out.println(RULE);
        System.out.println("RDMA " + operation.label() + " bandwidth");
        print(
                " %-10s %-12s %18s %18s %18s",
                "#bytes", "#iterations", "BW peak[MB/sec]", "BW average[MB/sec]", "MsgRate[Mpps]");
    }

    /**
     * Prints a line.
     *
     * @param times the start time, and the end time of each message, in ns
     */
    static void printBandwidth(long size, long[] times) {
        int messages = times.length - 1;
        double rate = rate(times, 0, messages);
        double peak = rate;
        for (int i = 0; i < WINDOWS && messages >= WINDOWS; i++) {
            peak = Math.max(peak, rate(times, messages * i / WINDOWS, messages * (i + 1) / WINDOWS));
        }
        print(" %-10d %-12d %18.2f %18.2f %18.6f", size, messages, peak * size / MB, rate * size / MB, rate / 1e6);
    }

    /** Returns the number of messages per second. */
    private static double rate(long[] times, int from, int to) {
        return (to - from) * 1e9 / Math.max(times[to] - times[from], 1);
    }

    static void printLatencyHead(PerfOperation operation) {
        System.out.println(RULE);
        System.out.println("RDMA " + operation.label() + " latency, from submission to completion");
        print(
                " %-10s %-12s %12s %12s %16s %12s %14s %21s %23s",
                "#bytes",
                "#iterations",
                "t_min[usec]",
                "t_max[usec]",
                "t_typical[usec]",
                "t_avg[usec]",
                "t_stdev[usec]",
                "99% percentile[usec]",
                "99.9% percentile[usec]");
    }

    /** Prints a line as {@link #printBandwidth} does, for messages that were sent one after the other. */
    static void printLatency(long size, long[] times) {
        double[] micros = new double[times.length - 1];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = (times[i + 1] - times[i]) / 1e3;
        }
        Arrays.sort(micros);
        double average = Arrays.stream(micros).average().orElse(0);
        double variance = Arrays.stream(micros)
                .map(one -> (one - average) * (one - average))
                .average()
                .orElse(0);
        print(
                " %-10d %-12d %12.2f %12.2f %16.2f %12.2f %14.2f %21.2f %23.2f",
                size,
                micros.length,
                micros[0],
                micros[micros.length - 1],
                percentile(micros, 0.5),
                average,
                Math.sqrt(variance),
                percentile(micros, 0.99),
                percentile(micros, 0.999));
    }

    private static double percentile(double[] sorted, double share) {
        return sorted[(int) Math.min(Math.ceil(share * sorted.length), sorted.length) - 1];
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
