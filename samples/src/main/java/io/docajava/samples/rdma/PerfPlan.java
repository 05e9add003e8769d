/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.docajava.ffi.DocaLibrary;
import io.docajava.rdma.RdmaCapabilities;
import io.docajava.rdma.RdmaContextBuilder;
import io.docajava.rdma.RdmaTaskType;
import io.docajava.rdma.exchange.DescriptorExchange;
import io.docajava.samples.cli.SampleException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations to measure.
 *
 * @param sizes the sizes of messages in bytes
 * @param iterations the number of operations for each line of the table
 * @param depth the number of operations in flight for the bandwidth
 * @param operations the types of the operations
 */
record PerfPlan(List<Long> sizes, int iterations, int depth, List<PerfOperation> operations) {

    private static final Logger LOG = LoggerFactory.getLogger(PerfPlan.class);

    private static final int FOREVER = 7;

    private static final int MAX_ITERATIONS = 10_000_000;

    /** Exchanges the plans of both sides, and returns that of the client. */
    static PerfPlan agree(DescriptorExchange peer, PerfPlan own) throws IOException {
        peer.send("plan", own.text().getBytes(UTF_8));
        PerfPlan other = parse(new String(peer.receive("plan"), UTF_8));
        PerfPlan valid = peer.isFirst() ? other : own;
        if (!other.equals(own)) {
            LOG.warn(
                    "The peer has other flags, and those of whoever comes second are used: {}; not used are {}",
                    valid.flags(),
                    (peer.isFirst() ? own : other).flags());
        }
        return valid;
    }

    private String flags() {
        return "-s " + joined(sizes, String::valueOf) + " -n " + iterations + " -t " + depth + " -o "
                + joined(operations, PerfOperation::label);
    }

    private static <T> String joined(List<T> values, Function<T, String> text) {
        return values.stream().map(text).collect(Collectors.joining(","));
    }

    private String text() {
        return joined(sizes, String::valueOf) + " " + iterations + " " + depth + " "
                + joined(operations, PerfOperation::name);
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

    /** Returns the size of the memory of each side in bytes. */
    long memory() {
        return sizes.stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    /** Returns the number of operations in flight, which is at most the number of iterations. */
    int inFlight() {
        return Math.min(depth, iterations);
    }

    /** Returns the number of receives that a server has posted. */
    int receives() {
        return operations.contains(PerfOperation.SEND) ? 2 * inFlight() : 0;
    }

    /**
     * Checks that a device supports this plan.
     *
     * @throws SampleException if it does not
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
        // The server posts its receives again soon, so sends are retried until then. Older releases cannot be told so.
        if (DocaLibrary.load().has("doca_rdma_set_rnr_retry_count")) {
            context.rnrRetryCount(FOREVER);
        }
        return context.maxTasks(RdmaTaskType.WRITE, inFlight())
                .maxTasks(RdmaTaskType.READ, inFlight())
                .maxTasks(RdmaTaskType.SEND, inFlight())
                .maxReceives(Math.max(receives(), 1));
    }
}
