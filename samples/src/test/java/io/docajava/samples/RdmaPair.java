/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import java.util.List;

/**
 * Two RDMA samples that work with each other.
 *
 * @param first the sample that receives, or owns the memory
 * @param textFlag the flag of a text to send, read or write
 * @param textIsOfFirst whether the first sample has that flag
 * @param firstSays the log of the first sample after it gets the text, with {@code %s} for the text
 * @param second the sample that sends, reads or writes
 * @param secondSays the log of the second sample after it gets the text, with {@code %s} for the text
 */
record RdmaPair(
        String first,
        String textFlag,
        boolean textIsOfFirst,
        List<String> firstSays,
        String second,
        List<String> secondSays) {

    static final RdmaPair SEND = new RdmaPair(
            "rdma_receive",
            "-s",
            false,
            List.of(
                    "INF Submitting RDMA receive task",
                    "INF RDMA receive task was done Successfully",
                    "INF Got from sender: \"%s\""),
            "rdma_send",
            List.of(
                    "INF Submitting RDMA send task that sends \"%s\" to receiver",
                    "INF RDMA send task was done successfully"));

    static final RdmaPair SEND_IMMEDIATE = new RdmaPair(
            "rdma_receive_immediate",
            "--send-string",
            false,
            List.of(
                    "INF Submitting RDMA receive task",
                    "INF RDMA receive task was done Successfully",
                    "INF Got from sender: \"%s\" with immediate: 43981"),
            "rdma_send_immediate",
            List.of(
                    "INF Submitting RDMA send with immediate task that sends \"%s\" with immediate value 43981 to receiver",
                    "INF RDMA send with immediate task was done successfully"));

    static final RdmaPair READ = new RdmaPair(
            "rdma_read_responder",
            "-r",
            true,
            List.of(),
            "rdma_read_requester",
            List.of(
                    "INF Submitting RDMA read task",
                    "INF RDMA read task was done Successfully",
                    "INF Read from responder: \"%s\""));

    static final RdmaPair WRITE = new RdmaPair(
            "rdma_write_responder",
            "-w",
            false,
            List.of("INF Requester has written: \"%s\""),
            "rdma_write_requester",
            List.of(
                    "INF Submitting RDMA write task that writes \"%s\" to the responder",
                    "INF RDMA write task was done Successfully", "INF Written to responder \"%s\""));

    static final RdmaPair WRITE_IMMEDIATE = new RdmaPair(
            "rdma_write_immediate_responder",
            "--write-string",
            false,
            List.of(
                    "INF Submitting RDMA receive task",
                    "INF RDMA receive task was done Successfully",
                    "INF Requester has written: \"%s\" with immediate data: 43981"),
            "rdma_write_immediate_requester",
            List.of(
                    "INF Submitting RDMA write with immediate task that writes \"%s\" with immediate value 43981 to"
                            + " responder",
                    "INF RDMA write task with immediate was done Successfully",
                    "INF Written to responder \"%s\" with immediate value 43981"));

    static final List<RdmaPair> ALL = List.of(SEND, SEND_IMMEDIATE, READ, WRITE, WRITE_IMMEDIATE);

    static List<RdmaPair> all() {
        return ALL;
    }

    List<String> firstSays(String text) {
        return firstSays.stream().map(line -> line.formatted(text)).toList();
    }

    List<String> secondSays(String text) {
        return secondSays.stream().map(line -> line.formatted(text)).toList();
    }

    /** Returns whether the first sample only waits for its user. */
    boolean waitsForUser() {
        return first.equals("rdma_read_responder") || first.equals("rdma_write_responder");
    }

    /** Returns whether one side accesses the memory of the other. */
    boolean isOnMemory() {
        return first.endsWith("responder");
    }

    @Override
    public String toString() {
        return second;
    }
}
