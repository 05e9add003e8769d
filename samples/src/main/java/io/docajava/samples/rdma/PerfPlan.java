/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.rdma.RdmaCapabilities;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.exchange.DescriptorExchange;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is measured.
 *
 * @param sizes of messages, in bytes
 * @param iterations how many operations a line of the table is of
 * @param depth how many of them are in flight for the bandwidth
 * @param operations which ones
 */
record PerfPlan(List<Long> sizes, int iterations, int depth, List<PerfOperation> operations) {

    private static final int FOREVER = 7;

    private static final int MAX_ITERATIONS = 10_000_000;

    /** Tells the server the plan of the client, and gives it to both. */
    static PerfPlan agree(DescriptorExchange peer, PerfPlan own) throws IOException {
        if (peer.isFirst()) {
            return parse(new String(peer.receive("plan"), UTF_8));
        }
        peer.send("plan", own.text().getBytes(UTF_8));
        return own;
    }

    private String text() {
        return sizes.stream().map(String::valueOf).collect(Collectors.joining(",")) + " " + iterations + " " + depth
                + " " + operations.stream().map(PerfOperation::name).collect(Collectors.joining(","));
    }

    private static PerfPlan parse(String text) {
        String[] words = text.split(" ", 4);
        try {
            return new PerfPlan(
                    Arrays.stream(words[0].split(",", -1)).map(Long::valueOf).toList(),
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[2]),
                    Arrays.stream(words[3].split(",", -1))
                            .map(PerfOperation::valueOf)
                            .toList());
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new SampleException("The peer is no rdma_perf of this version: its plan is \"" + text + "\"");
        }
    }

    /** The bytes of memory that each side needs. */
    long memory() {
        return sizes.stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    /** How many operations are in flight: no more than there are. */
    int inFlight() {
        return Math.min(depth, iterations);
    }

    /** How many receives a server has posted. */
    int receives() {
        return operations.contains(PerfOperation.SEND) ? 2 * inFlight() : 0;
    }

    /** How many buffers a server needs. */
    int buffers() {
        return Math.max(receives(), 1);
    }

    /**
     * Looks whether a device can do it.
     *
     * @throws SampleException if it cannot
     */
    void check(RdmaCapabilities limits) {
        if (iterations > MAX_ITERATIONS) {
            throw new SampleException("--iters " + iterations + " is more than " + MAX_ITERATIONS
                    + ", as the time of each operation is kept");
        }
        if (memory() > limits.maxMessageSize()) {
            throw new SampleException("A message of " + memory() + " bytes is more than the " + limits.maxMessageSize()
                    + " that the device sends at a time");
        }
        if (receives() > limits.maxReceiveQueueSize() || inFlight() > limits.maxSendQueueSize()) {
            throw new SampleException("--tx-depth " + depth + " is more than the device has in flight: it sends "
                    + limits.maxSendQueueSize() + " messages, and receives two times as many of "
                    + limits.maxReceiveQueueSize());
        }
    }

    RdmaContextBuilder configure(RdmaContextBuilder context) {
        return context.maxTasks(RdmaTaskType.WRITE, inFlight())
                .maxTasks(RdmaTaskType.READ, inFlight())
                .maxTasks(RdmaTaskType.SEND, inFlight())
                .maxReceives(buffers())
                // The server posts each receive again as soon as it can.
                .rnrRetryCount(FOREVER);
    }
}
