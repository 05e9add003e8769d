/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import io.docajava.rdma.RdmaTaskType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Counts the operations that completed with correct results. */
final class Counts {

    static final List<RdmaTaskType> TYPES = List.of(
            RdmaTaskType.RECEIVE,
            RdmaTaskType.SEND,
            RdmaTaskType.SEND_IMM,
            RdmaTaskType.READ,
            RdmaTaskType.WRITE,
            RdmaTaskType.WRITE_IMM,
            RdmaTaskType.ATOMIC_CMP_SWP,
            RdmaTaskType.ATOMIC_FETCH_ADD);

    private final long[] operations = new long[TYPES.size()];
    private final long[] bytes = new long[TYPES.size()];

    void add(RdmaTaskType type, long length) {
        operations[TYPES.indexOf(type)]++;
        bytes[TYPES.indexOf(type)] += length;
    }

    /** Adds the counts of another process, in the format of {@link #takeLine()}. */
    void addLine(String line) {
        long[] numbers =
                Arrays.stream(line.split(",", -1)).mapToLong(Long::parseLong).toArray();
        for (int i = 0; i < operations.length; i++) {
            operations[i] += numbers[2 * i];
            bytes[i] += numbers[2 * i + 1];
        }
    }

    /** Returns all counts and resets them to 0. */
    String takeLine() {
        String line = TYPES.stream()
                .map(type -> operations[TYPES.indexOf(type)] + "," + bytes[TYPES.indexOf(type)])
                .collect(Collectors.joining(","));
        Arrays.fill(operations, 0);
        Arrays.fill(bytes, 0);
        return line;
    }

    long sum() {
        return Arrays.stream(operations).sum();
    }

    long of(RdmaTaskType type) {
        return operations[TYPES.indexOf(type)];
    }

    @Override
    public String toString() {
        return TYPES.stream()
                .map(type -> "%-16s %12d operations %10d MiB"
                        .formatted(type, operations[TYPES.indexOf(type)], bytes[TYPES.indexOf(type)] >> 20))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
