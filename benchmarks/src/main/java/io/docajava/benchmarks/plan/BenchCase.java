/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A single measured case.
 *
 * @param api the API
 * @param size the number of bytes of an operation, 0 if it does not apply
 * @param depth the number of operations in flight, 0 if it does not apply
 */
public record BenchCase(Api api, int size, int depth) {

    /** Returns all cases. */
    public static List<BenchCase> all() {
        return Arrays.stream(Api.values()).flatMap(Api::cases).toList();
    }

    /** Returns the cases of the goals. */
    public static List<BenchCase> quick() {
        return Stream.of(
                        Stream.of(
                                        Api.RAW,
                                        Api.BATCH,
                                        Api.CALLBACK,
                                        Api.MIXED,
                                        Api.REBIND,
                                        Api.REBIND_BOTH,
                                        Api.JEXTRACT,
                                        Api.JNI,
                                        Api.FUTURE)
                                .map(api -> new BenchCase(api, 64, 32)),
                        Stream.of(1, 8).map(depth -> new BenchCase(Api.CALLBACK, 64, depth)),
                        Stream.of(Api.LOOP_PLATFORM, Api.LOOP_VIRTUAL).map(api -> new BenchCase(api, 64, 256)),
                        Stream.of(4096, 65536, 1 << 20).map(size -> new BenchCase(Api.RAW, size, 32)),
                        Stream.of(64, 4096).map(size -> new BenchCase(Api.RAW_2_2, size, 32)),
                        Stream.of(64, 4096).map(size -> new BenchCase(Api.PULL, size, 32)),
                        Stream.of(Api.RDMA_WRITE, Api.RDMA_SEND)
                                .flatMap(api -> Stream.of(64, 65536).map(size -> new BenchCase(api, size, 32))),
                        Stream.of(new BenchCase(Api.RDMA_WRITE_CALLBACK, 64, 32)))
                .flatMap(cases -> cases)
                .toList();
    }

    /** Returns whether one of the patterns matches; without patterns, all cases match. */
    public boolean matches(List<Pattern> patterns) {
        return patterns.isEmpty()
                || patterns.stream().anyMatch(pattern -> pattern.matcher(name()).find());
    }

    /** Returns the name that patterns are matched with: the API, the size and the depth. */
    public String name() {
        return Stream.of(api.id(), size == 0 ? "" : String.valueOf(size), depth == 0 ? "" : String.valueOf(depth))
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + "/" + other)
                .orElseThrow();
    }
}
