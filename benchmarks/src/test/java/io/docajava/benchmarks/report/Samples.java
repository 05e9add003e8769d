/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.report;

import io.docajava.benchmarks.pair.Pair;
import java.util.List;

/** Figures as runs give them. */
final class Samples {

    private Samples() {}

    /** A case of one pair. */
    static Figure figure(String name, int size, int depth, double javaNanos, double cNanos, double bytes) {
        return Figure.ofPairs(name, size, depth, List.of(new Pair(javaNanos, cNanos, bytes)));
    }

    /** All that the goals ask for, and all reached. */
    static List<Figure> good() {
        return List.of(
                figure("raw", 64, 32, 100, 95, 0),
                figure("raw", 4096, 32, 500, 495, 0),
                figure("raw-2.2", 64, 32, 150, 120, 0),
                figure("raw-2.2", 4096, 32, 600, 580, 0),
                figure("raw", 65536, 32, 5000, 4990, 0),
                figure("raw", 1 << 20, 32, 90000, 90000, 0),
                figure("batch", 64, 32, 104, 95, 0),
                figure("callback", 64, 32, 105, 95, 0),
                figure("jextract", 64, 32, 250, 95, 120),
                figure("loop-platform", 64, 256, 600, 95, 300),
                figure("loop-virtual", 64, 256, 650, 95, 400),
                figure("rdma-write", 64, 32, 1000, 950, 0),
                figure("rdma-write", 65536, 32, 10000, 9900, 0),
                figure("rdma-send", 64, 32, 1000, 950, 0),
                figure("rdma-send", 65536, 32, 10000, 9900, 0),
                figure("rdma-write-callback", 64, 32, 1000, 950, 0),
                Figure.ofTimes("startup-aot-plain", "a line", List.of(new Pair(3e8, 2e8, Double.NaN))),
                Figure.ofTimes("startup-aot", "a line", List.of(new Pair(3e8, 2e8, Double.NaN))));
    }
}
