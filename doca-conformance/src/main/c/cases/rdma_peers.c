/* SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"
#include "rdma.h"

#define THEME "rdma of two processes"

/* One process sends this to the other: the address of its memory, the export, and the connection descriptor. */
struct offer {
    uint64_t address;
    size_t map_len;
    size_t details_len;
    uint8_t map_bytes[1024];
    uint8_t details[1024];
};

/* Starts the near side and describes it. The far side of this process is not used. */
static void
make_offer(struct offer *offer) {
    create_sides();
    start_side(&near_side);
    REQUIRE(export_side(&near_side));
    const void *bytes;
    REQUIRE(doca_mmap_export_rdma(map, dev, &bytes, &offer->map_len));
    if (offer->map_len > sizeof(offer->map_bytes) || near_side.details_size > sizeof(offer->details)) {
        not_available("a descriptor has more than %zu bytes", sizeof(offer->details));
    }
    offer->address = (uintptr_t)memory;
    offer->details_len = near_side.details_size;
    memcpy(offer->map_bytes, bytes, offer->map_len);
    memcpy(offer->details, near_side.details, offer->details_len);
}

/* Exchanges the offers, connects, and imports the other process's memory as the remote map. */
static void
meet(struct offer *theirs) {
    static struct offer own;
    make_offer(&own);
    send_to_peer(&own, sizeof(own));
    (void)receive_from_peer(theirs, sizeof(*theirs));
    REQUIRE(connect_side(&near_side, theirs->details, theirs->details_len));
    REQUIRE(doca_mmap_create_from_export(NULL, theirs->map_bytes, theirs->map_len, dev, &remote_map));
    progress_to_state(near_side.ctx, DOCA_CTX_STATE_RUNNING);
}

/* The second process: posts a receive into its memory at 65536, and sends its first 64 bytes on request. */
static void
serve(void) {
    static struct offer theirs;
    meet(&theirs);
    memset(memory, 0x5a, 4096);
    submit(receive_task(&near_side, 1, target(65536, 64)));
    signal_peer();
    char request;
    while (receive_from_peer(&request, 1) == 1) {
        if (request == 'r') {
            progress_to(1);
            send_to_peer(memory + 65536, 64);
        } else {
            send_to_peer(memory, 64);
        }
    }
}

static struct offer theirs;

static uint8_t *
their_memory(void) {
    return (uint8_t *)(uintptr_t)theirs.address;
}

static void
meet_server(void) {
    meet(&theirs);
    await_peer();
    forget_notes();
}

RULE(rdma_peer_read, "A read fetches memory of another process, which takes no part in it.", .source = OBSERVED_3_0,
     .peer = serve, .answer = "1 done, 5a") {
    meet_server();
    submit(read_task(&near_side, 1, source_of(remote_map, their_memory(), 64), target(80000, 64)));
    answer_results(1);
    answer("%02x", memory[80000]);
}

RULE(rdma_peer_write, "A write changes memory of another process.", .source = OBSERVED_3_0, .peer = serve,
     .answer = "1 done, yes") {
    meet_server();
    submit(write_task(&near_side, 1, source(3000, 64), target_of(remote_map, their_memory(), 64)));
    answer_results(1);
    uint8_t bytes[64];
    send_to_peer("w", 1);
    (void)receive_from_peer(bytes, sizeof(bytes));
    answer_flag(memcmp(bytes, memory + 3000, sizeof(bytes)) == 0);
}

RULE(rdma_peer_send, "A send fills a receive of another process.", .source = OBSERVED_3_0, .peer = serve,
     .answer = "1 done, yes") {
    meet_server();
    submit(send_task(&near_side, 1, source(3000, 64)));
    answer_results(1);
    uint8_t bytes[64];
    send_to_peer("r", 1);
    (void)receive_from_peer(bytes, sizeof(bytes));
    answer_flag(memcmp(bytes, memory + 3000, sizeof(bytes)) == 0);
}

RULE(rdma_peer_dies, "A read of a process that has died fails, and stops the context.", .source = OBSERVED_3_0, .peer = serve,
     .answer = "1 IO_FAILED, STOPPING") {
    meet_server();
    kill_peer();
    submit(read_task(&near_side, 1, source_of(remote_map, their_memory(), 64), target(80000, 64)));
    answer_results(1);
    progress_to_state(near_side.ctx, DOCA_CTX_STATE_STOPPING);
    answer("%s", state_of(near_side.ctx));
}
