/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import java.util.List;

/**
 * Two samples of RDMA that belong together.
 *
 * @param first the one that receives, or has the memory
 * @param textFlag the flag of a text to send, read or write
 * @param textIsOfFirst whether the first one has that flag
 * @param firstSays what it says of the text, when it knows of it; with {@code %s} for the text
 * @param second the one that sends, reads or writes
 * @param secondSays what that one says of it
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

    /** Whether the first one has nothing to wait for but its user. */
    boolean waitsForUser() {
        return first.equals("rdma_read_responder") || first.equals("rdma_write_responder");
    }

    /** Whether one side works in the memory of the other one. */
    boolean isOnMemory() {
        return first.endsWith("responder");
    }

    @Override
    public String toString() {
        return second;
    }
}
