/* SPDX-License-Identifier: Apache-2.0 */
/* RDMA between processes: the peers sleep in read(2) between requests. */
#include "peer.h"
#include "rdma_fixture.h"
#include "rdma_links.h"

#define NUM_CONNECTIONS 4
#define NUM_ADDS 1000
#define LONG_MESSAGE ((size_t)32 * 1024 * 1024)
#define MAX_KILLS 20
#define NUM_EXITS 6
#define NUM_ROUNDS 100

enum action {
    /* Creates a running context. */
    PEER_CREATE,
    PEER_EXPORT,
    PEER_CONNECT,
    /* Exports all of its memory. */
    PEER_SHARE,
    PEER_IMPORT,
    PEER_RECEIVE,
    /* Receives, and waits for the notification of the message. */
    PEER_RECEIVE_NOTIFIED,
    PEER_SEND,
    /* Writes the numbers from 1 on to the imported memory until a write fails. */
    PEER_WRITE_ON,
    /* Adds 1 to the imported number, count times on each connection. */
    PEER_ADD,
    PEER_PEEK,
    PEER_POKE,
    PEER_STOP,
    PEER_START,
    /* Sends a message of the requested length from new memory. */
    PEER_SEND_LONG,
    /* Continues as another program with the same pid. */
    PEER_BECOME_ANOTHER_PROGRAM,
};

struct request {
    enum action action;
    size_t index;
    size_t offset;
    size_t len;
    uint64_t value;
    uint32_t permissions;
    size_t details_size;
    uint8_t details[1024];
};

struct reply {
    /* The result of the task or of the call. */
    doca_error_t result;
    uint64_t addr;
    uint64_t value;
    size_t details_size;
    uint8_t details[1024];
};

/*
 * The peer
 */

struct peer_state {
    struct side side;
    struct doca_mmap *exported;
    struct doca_mmap *imported;
    uint8_t *addr;
};

static doca_error_t
run_task(struct doca_task *task) {
    doca_error_t result = doca_task_submit(task);
    if (result == DOCA_SUCCESS) {
        progress_until(num_events + 1);
        result = events[num_events - 1].status;
        num_events--;
    }
    doca_task_free(task);
    return result;
}

static doca_error_t
receive(struct peer_state *peer, const struct request *request, struct reply *reply, bool notified) {
    struct doca_buf *dst = target(request->offset, request->len);
    struct doca_task *task = make_receive(&peer->side, dst, 1);
    REQUIRE_SUCCESS(doca_task_submit(task));
    /* The sender may begin. */
    write_fully(STDOUT_FILENO, reply, sizeof(*reply));
    while (num_events == 0) {
        if (doca_pe_progress(pe) == 0 && notified) {
            sleep_once(pe);
        }
    }
    const doca_error_t result = events[0].status;
    reply->value = doca_rdma_task_receive_get_result_len((struct doca_rdma_task_receive *)task);
    forget_events();
    give_back(dst);
    return result;
}

static doca_error_t
send_data(struct peer_state *peer, const struct request *request) {
    struct doca_buf *src = source(request->offset, request->len);
    const doca_error_t result = run_task(make_send(&peer->side, request->index, src, 1));
    give_back(src);
    return result;
}

static doca_error_t
send_long(struct peer_state *peer, const struct request *request) {
    uint8_t *bytes = mmap(NULL, request->len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(bytes, 1, request->len);
    struct doca_mmap *map = start_mmap(bytes, request->len, dev);
    struct doca_buf *src = data_of(map, bytes, request->len);
    const doca_error_t result = run_task(make_send(&peer->side, request->index, src, 1));
    give_back(src);
    CHECK_SUCCESS(doca_mmap_destroy(map));
    munmap(bytes, request->len);
    return result;
}

static doca_error_t
write_on(struct peer_state *peer) {
    struct doca_buf *src = source(0, 8);
    struct doca_buf *dst = space_of(peer->imported, peer->addr, 8);
    struct doca_task *task = make_write(&peer->side, 0, src, dst, 1);
    doca_error_t result = DOCA_SUCCESS;
    for (uint64_t value = 1; result == DOCA_SUCCESS; value++) {
        memcpy(memory, &value, sizeof(value));
        CHECK_SUCCESS(doca_buf_reset_data_len(dst));
        result = doca_task_submit(task);
        if (result == DOCA_SUCCESS) {
            progress_until(1);
            result = events[0].status;
            num_events = 0;
        }
    }
    doca_task_free(task);
    GIVE_BACK(src, dst);
    return result;
}

static doca_error_t
add(struct peer_state *peer, uint64_t count) {
    struct doca_task *tasks[NUM_CONNECTIONS];
    struct doca_buf *results[NUM_CONNECTIONS];
    struct doca_buf *dst = space_of(peer->imported, peer->addr, 8);
    doca_error_t result = DOCA_SUCCESS;
    for (size_t i = 0; i < NUM_CONNECTIONS; i++) {
        results[i] = target(i * 64, 8);
        tasks[i] = make_fetch_add(&peer->side, i, dst, results[i], 1, i);
    }
    for (uint64_t i = 0; i < count; i++) {
        for (size_t j = 0; j < NUM_CONNECTIONS; j++) {
            CHECK_SUCCESS(doca_buf_reset_data_len(results[j]));
            REQUIRE_SUCCESS(doca_task_submit(tasks[j]));
        }
        progress_until(NUM_CONNECTIONS);
        for (size_t j = 0; j < NUM_CONNECTIONS; j++) {
            result = events[j].status == DOCA_SUCCESS ? result : events[j].status;
        }
        num_events = 0;
    }
    for (size_t i = 0; i < NUM_CONNECTIONS; i++) {
        doca_task_free(tasks[i]);
        give_back(results[i]);
    }
    give_back(dst);
    return result;
}

static void
share_memory(struct peer_state *peer, uint32_t permissions, struct reply *reply) {
    const void *descriptor;
    peer->exported = start_permitted(memory, sizeof(memory), dev, permissions);
    REQUIRE_SUCCESS(doca_mmap_export_rdma(peer->exported, dev, &descriptor, &reply->details_size));
    memcpy(reply->details, descriptor, reply->details_size);
    reply->addr = (uintptr_t)memory;
}

static void
export_peer(struct peer_state *peer, size_t index, struct reply *reply) {
    export_connection(&peer->side, index);
    reply->details_size = peer->side.details_size[index];
    memcpy(reply->details, peer->side.details[index], reply->details_size);
}

static void
answer(struct peer_state *peer, const struct request *request, struct reply *reply) {
    switch (request->action) {
    case PEER_CREATE:
        peer->side = create_side();
        REQUIRE_SUCCESS(doca_rdma_set_permissions(peer->side.rdma, request->permissions));
        start_side(&peer->side);
        break;
    case PEER_EXPORT:
        export_peer(peer, request->index, reply);
        break;
    case PEER_CONNECT:
        reply->result = doca_rdma_connect(peer->side.rdma, request->details, request->details_size,
                                          peer->side.connections[request->index]);
        break;
    case PEER_SHARE:
        share_memory(peer, request->permissions, reply);
        break;
    case PEER_IMPORT:
        peer->imported = import_mmap(request->details, request->details_size);
        peer->addr = (uint8_t *)(uintptr_t)request->value;
        break;
    case PEER_RECEIVE:
        reply->result = receive(peer, request, reply, false);
        break;
    case PEER_RECEIVE_NOTIFIED:
        reply->result = receive(peer, request, reply, true);
        break;
    case PEER_SEND:
        reply->result = send_data(peer, request);
        break;
    case PEER_WRITE_ON:
        reply->result = write_on(peer);
        break;
    case PEER_ADD:
        reply->result = add(peer, request->value);
        break;
    case PEER_PEEK:
        memcpy(&reply->value, memory + request->offset, sizeof(reply->value));
        break;
    case PEER_POKE:
        memcpy(memory + request->offset, &request->value, sizeof(request->value));
        break;
    case PEER_STOP:
        stop_side(&peer->side);
        break;
    case PEER_START:
        start_side(&peer->side);
        break;
    case PEER_SEND_LONG:
        reply->result = send_long(peer, request);
        break;
    case PEER_BECOME_ANOTHER_PROGRAM:
        execl("/proc/self/exe", "peer", "peer", (char *)NULL);
        perror("exec");
        exit(EXIT_FAILURE);
    }
}

static int
run_peer(void) {
    struct peer_state peer = {0};
    struct request request;
    open_fixture();
    while (read_fully(STDIN_FILENO, &request, sizeof(request))) {
        struct reply reply = {.result = DOCA_SUCCESS};
        answer(&peer, &request, &reply);
        write_fully(STDOUT_FILENO, &reply, sizeof(reply));
    }
    if (peer.side.rdma != NULL) {
        destroy_side(&peer.side);
    }
    if (peer.imported != NULL) {
        CHECK_SUCCESS(doca_mmap_destroy(peer.imported));
    }
    if (peer.exported != NULL) {
        CHECK_SUCCESS(doca_mmap_destroy(peer.exported));
    }
    close_fixture();
    return check_result();
}

/*
 * This side
 */

static void
send_request(struct peer *peer, struct request request) {
    write_fully(peer->requests, &request, sizeof(request));
}

static struct reply
get_reply(struct peer *peer) {
    struct reply reply;
    if (!read_fully(peer->replies, &reply, sizeof(reply))) {
        fprintf(stderr, "no answer from the peer\n");
        exit(EXIT_FAILURE);
    }
    return reply;
}

static struct reply
ask(struct peer *peer, struct request request) {
    send_request(peer, request);
    return get_reply(peer);
}

static struct side side;

/* Connects one connection of each side, with the same index. */
static void
connect_peer_at(struct peer *peer, size_t own_index, size_t index) {
    struct request request = {.action = PEER_CONNECT, .index = index};
    export_connection(&side, own_index);
    const struct reply exported = ask(peer, (struct request){.action = PEER_EXPORT, .index = index});
    memcpy(request.details, side.details[own_index], side.details_size[own_index]);
    request.details_size = side.details_size[own_index];
    CHECK_SUCCESS(doca_rdma_connect(side.rdma, exported.details, exported.details_size, side.connections[own_index]));
    CHECK_SUCCESS(ask(peer, request).result);
}

static struct peer
start_connected_peer(void) {
    struct peer peer = start_peer("peer", "dpu");
    ask(&peer, (struct request){.action = PEER_CREATE, .permissions = ALL_PERMISSIONS});
    connect_peer_at(&peer, 0, 0);
    return peer;
}

struct remote {
    struct doca_mmap *imported;
    uint8_t *addr;
};

static struct remote
share_of(struct peer *peer) {
    const struct reply reply = ask(peer, (struct request){.action = PEER_SHARE, .permissions = ALL_PERMISSIONS});
    return (struct remote){.imported = import_mmap(reply.details, reply.details_size),
                           .addr = (uint8_t *)(uintptr_t)reply.addr};
}

/* Lets the peer access the memory of this process. */
static struct doca_mmap *
share_with(struct peer *peer) {
    struct request request = {.action = PEER_IMPORT, .value = (uintptr_t)memory};
    const void *descriptor;
    struct doca_mmap *exported = start_permitted(memory, sizeof(memory), dev, ALL_PERMISSIONS);
    REQUIRE_SUCCESS(doca_mmap_export_rdma(exported, dev, &descriptor, &request.details_size));
    memcpy(request.details, descriptor, request.details_size);
    ask(peer, request);
    return exported;
}

/* Progresses until the task with that number has completed. */
static void
wait_for(uint64_t number, doca_error_t status) {
    while (find_event(number) == NULL) {
        progress_or_rest(pe);
    }
    check_event(number, status);
}

static void
memory_of_a_sleeping_peer_is_used(void) {
    side = create_running_side();
    struct peer peer = start_connected_peer();
    struct remote remote = share_of(&peer);
    struct doca_buf *src = source(0, 8);
    struct doca_buf *dst = target(64, 8);
    struct doca_buf *there = space_of(remote.imported, remote.addr + 4096, 8);
    const uint64_t value = 41;
    uint64_t read;
    memcpy(memory, &value, sizeof(value));
    CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, src, there, 1)));
    wait_for(1, DOCA_SUCCESS);
    CHECK_SUCCESS(doca_buf_set_data_len(there, 8));
    CHECK_SUCCESS(doca_task_submit(make_fetch_add(&side, 0, there, dst, 1, 2)));
    wait_for(2, DOCA_SUCCESS);
    CHECK_EQUAL(42, ask(&peer, (struct request){.action = PEER_PEEK, .offset = 4096}).value);
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
    CHECK_SUCCESS(doca_task_submit(make_read(&side, 0, there, dst, 3)));
    wait_for(3, DOCA_SUCCESS);
    memcpy(&read, memory + 64, sizeof(read));
    CHECK_EQUAL(42, read);
    GIVE_BACK(src, dst, there);
    destroy_side(&side);
    CHECK_SUCCESS(doca_mmap_destroy(remote.imported));
    end_peer(&peer);
}

static void
messages_go_both_ways(void) {
    side = create_running_side();
    struct peer peer = start_connected_peer();
    const enum action ways[] = {PEER_RECEIVE, PEER_RECEIVE_NOTIFIED};
    for (size_t i = 0; i < 2; i++) {
        ask(&peer, (struct request){.action = ways[i], .offset = 4096, .len = 100});
        const uint64_t value = 7 + i;
        memcpy(memory, &value, sizeof(value));
        struct doca_buf *src = source(0, 90);
        CHECK_SUCCESS(doca_task_submit(make_send(&side, 0, src, 1)));
        wait_for(1, DOCA_SUCCESS);
        const struct reply received = get_reply(&peer);
        CHECK_SUCCESS(received.result);
        CHECK_EQUAL(90, received.value);
        CHECK_EQUAL(value, ask(&peer, (struct request){.action = PEER_PEEK, .offset = 4096}).value);
        forget_events();
        give_back(src);
    }
    struct doca_buf *dst = target(512, 8);
    CHECK_SUCCESS(doca_task_submit(make_receive(&side, dst, 2)));
    CHECK_SUCCESS(ask(&peer, (struct request){.action = PEER_SEND, .offset = 4096, .len = 8}).result);
    wait_for(2, DOCA_SUCCESS);
    CHECK_EQUAL(8, memory[512]);
    give_back(dst);
    destroy_side(&side);
    end_peer(&peer);
}

/* The receive is posted after the sender has gone to sleep until its notification. */
static void
a_sleeping_sender_learns_of_the_receive(void) {
    side = create_side();
    CHECK_SUCCESS(doca_rdma_set_rnr_retry_count(side.rdma, 7));
    start_side(&side);
    struct peer peer = start_connected_peer();
    CHECK_SUCCESS(doca_task_submit(make_send(&side, 0, NULL, 1)));
    CHECK_EQUAL(0, doca_pe_progress(pe));
    ask(&peer, (struct request){.action = PEER_RECEIVE, .len = 8});
    while (num_events == 0) {
        sleep_once(pe);
        progress_all();
    }
    check_event(1, DOCA_SUCCESS);
    CHECK_SUCCESS(get_reply(&peer).result);
    destroy_side(&side);
    end_peer(&peer);
}

/* Memory that a host exports to this DPU is sent to a peer and read into, though it belongs to neither process. */
static void
memory_of_the_host_is_sent_and_read(void) {
    struct host_reply exported;
    struct peer host = start_host(4096, DOCA_ACCESS_FLAG_PCI_READ_WRITE, &exported);
    side = create_running_side();
    struct peer peer = start_connected_peer();
    struct remote remote = share_of(&peer);
    struct doca_mmap *of_host = import_mmap(exported.descriptor, exported.descriptor_size);
    uint8_t *addr = (uint8_t *)(uintptr_t)exported.addr;
    struct doca_buf *src = data_of(of_host, addr, 1000);
    struct doca_buf *there = space_of(remote.imported, remote.addr, 1000);
    struct doca_buf *dst = space_of(of_host, addr + 2000, 1000);
    CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, src, there, 1)));
    wait_for(1, DOCA_SUCCESS);
    uint64_t expected;
    uint8_t bytes[8];
    for (uint64_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = pattern_at(i);
    }
    memcpy(&expected, bytes, sizeof(expected));
    CHECK_EQUAL(expected, ask(&peer, (struct request){.action = PEER_PEEK}).value);
    CHECK_SUCCESS(doca_buf_set_data_len(there, 1000));
    CHECK_SUCCESS(doca_task_submit(make_read(&side, 0, there, dst, 2)));
    wait_for(2, DOCA_SUCCESS);
    CHECK_EQUAL(pattern_at(999), ask_host(&host, (struct host_request){.action = HOST_PEEK, .offset = 2999}).value);
    ask(&peer, (struct request){.action = PEER_RECEIVE, .offset = 4096, .len = 1000});
    CHECK_SUCCESS(doca_task_submit(make_send(&side, 0, src, 3)));
    wait_for(3, DOCA_SUCCESS);
    CHECK_SUCCESS(get_reply(&peer).result);
    CHECK_EQUAL(expected, ask(&peer, (struct request){.action = PEER_PEEK, .offset = 4096}).value);
    GIVE_BACK(src, there, dst);
    destroy_side(&side);
    CHECK_SUCCESS(doca_mmap_destroy(of_host));
    CHECK_SUCCESS(doca_mmap_destroy(remote.imported));
    end_peer(&peer);
    end_host(&host);
}

/*
 * The end of a peer
 */

/* All tasks that wait for the peer, in any way, fail. */
static void
operations_on_a_killed_peer_fail(void) {
    for (int waits_for = 0; waits_for < 3; waits_for++) {
        side = create_side();
        CHECK_SUCCESS(doca_rdma_set_rnr_retry_count(side.rdma, 7));
        start_side(&side);
        struct peer peer = start_peer("peer", "dpu");
        ask(&peer, (struct request){.action = PEER_CREATE, .permissions = ALL_PERMISSIONS});
        if (waits_for == 0) {
            /* Waits for the peer's half of the connection. */
            export_connection(&side, 0);
            const struct reply exported = ask(&peer, (struct request){.action = PEER_EXPORT});
            CHECK_SUCCESS(
                    doca_rdma_connect(side.rdma, exported.details, exported.details_size, side.connections[0]));
            CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, NULL, NULL, 1)));
            CHECK_EQUAL(0, doca_pe_progress(pe));
            kill_peer(&peer);
        } else if (waits_for == 1) {
            /* Waits for a receive. */
            connect_peer_at(&peer, 0, 0);
            CHECK_SUCCESS(doca_task_submit(make_send(&side, 0, NULL, 1)));
            CHECK_EQUAL(0, doca_pe_progress(pe));
            kill_peer(&peer);
        } else {
            /* Waits for nothing. */
            connect_peer_at(&peer, 0, 0);
            kill_peer(&peer);
            CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, NULL, NULL, 1)));
        }
        CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, 2)));
        wait_for(1, DOCA_ERROR_IO_FAILED);
        wait_for(2, DOCA_ERROR_BAD_STATE);
        check_logged("the peer has ended");
        destroy_side(&side);
    }
}

static void
memory_of_a_killed_peer_cannot_be_reached(void) {
    side = create_running_side();
    struct peer peer = start_connected_peer();
    struct remote remote = share_of(&peer);
    struct doca_buf *src = source(0, 8);
    struct doca_buf *there = space_of(remote.imported, remote.addr, 8);
    kill_peer(&peer);
    CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, src, there, 1)));
    wait_for(1, DOCA_ERROR_IO_FAILED);
    check_cause("has ended");
    GIVE_BACK(src, there);
    destroy_side(&side);
    CHECK_SUCCESS(doca_mmap_destroy(remote.imported));
}

/* It is killed halfway by a fault, while its memory is being written. */
static void
a_fault_kills_the_owner_of_memory(void) {
    side = create_running_side();
    struct peer peer = start_connected_peer();
    struct remote remote = share_of(&peer);
    struct doca_buf *src = source(0, 4096);
    struct doca_buf *there = space_of(remote.imported, remote.addr, 4096);
    CHECK_SUCCESS(doca_emulator_set_faults("kill-exporter=2"));
    CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, src, there, 1)));
    wait_for(1, DOCA_SUCCESS);
    CHECK_SUCCESS(doca_buf_reset_data_len(there));
    CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, src, there, 2)));
    wait_for(2, DOCA_ERROR_IO_FAILED);
    CHECK_EQUAL(SIGKILL, join_peer(&peer));
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    GIVE_BACK(src, there);
    destroy_side(&side);
    CHECK_SUCCESS(doca_mmap_destroy(remote.imported));
    last_error[0] = '\0';
}

/* The place for a long message. */
struct long_message {
    uint8_t *bytes;
    struct doca_mmap *map;
    struct doca_buf *dst;
};

static struct long_message
create_long_message(void) {
    struct long_message message = {
            .bytes = mmap(NULL, LONG_MESSAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)};
    message.map = start_mmap(message.bytes, LONG_MESSAGE, dev);
    message.dst = space_of(message.map, message.bytes, LONG_MESSAGE);
    return message;
}

static void
destroy_long_message(const struct long_message *message) {
    give_back(message->dst);
    CHECK_SUCCESS(doca_mmap_destroy(message->map));
    munmap(message->bytes, LONG_MESSAGE);
}

/* Posts receive 1 for the message. */
static void
receive_long(const struct long_message *message) {
    memset(message->bytes, 0, LONG_MESSAGE);
    CHECK_SUCCESS(doca_buf_reset_data_len(message->dst));
    CHECK_SUCCESS(doca_task_submit(make_receive(&side, message->dst, 1)));
}

/* Returns when the first bytes have arrived. */
static void
await_long(struct peer *peer, const struct long_message *message) {
    send_request(peer, (struct request){.action = PEER_SEND_LONG, .len = LONG_MESSAGE});
    while (__atomic_load_n(message->bytes, __ATOMIC_RELAXED) == 0) {
        sched_yield();
    }
}

/*
 * Kills the sender of a long message after its first bytes have arrived. Returns whether the message was not
 * delivered: the sender may have completed it before this process ran again.
 */
static bool
a_message_is_cut_off(const struct long_message *message) {
    struct peer peer = start_connected_peer();
    receive_long(message);
    CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, 2)));
    await_long(&peer, message);
    kill_peer(&peer);
    const bool all_bytes_came = message->bytes[LONG_MESSAGE - 1] != 0;
    while (find_event(1) == NULL) {
        progress_or_rest(pe);
    }
    if (find_event(1)->status == DOCA_SUCCESS) {
        CHECK(all_bytes_came);
        return false;
    }
    check_event(1, DOCA_ERROR_IO_FAILED);
    wait_for(2, DOCA_ERROR_BAD_STATE);
    check_logged("its sender has failed");
    return true;
}

static void
a_sender_that_is_killed_in_the_middle_fails_the_receive(void) {
    const struct long_message message = create_long_message();
    bool was_cut_off = false;
    side = create_side();
    for (int i = 0; i < MAX_KILLS && !was_cut_off; i++) {
        start_side(&side);
        was_cut_off = a_message_is_cut_off(&message);
        stop_side(&side);
    }
    if (!was_cut_off) {
        CHECK_FAILED("each of %d senders delivered its message before it was killed", MAX_KILLS);
    }
    /* The context works again. */
    start_side(&side);
    struct peer peer = start_connected_peer();
    CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, 3)));
    CHECK_SUCCESS(ask(&peer, (struct request){.action = PEER_SEND, .len = 0}).result);
    wait_for(3, DOCA_SUCCESS);
    destroy_side(&side);
    end_peer(&peer);
    destroy_long_message(&message);
}

/* The receiver looks at the sender, which ends as soon as it has sent, while the message arrives. */
static void
a_message_outlives_its_sender(void) {
    const struct long_message message = create_long_message();
    side = create_side();
    for (int round = 0; round < NUM_EXITS; round++) {
        start_side(&side);
        struct peer peer = start_connected_peer();
        receive_long(&message);
        send_request(&peer, (struct request){.action = PEER_SEND_LONG, .len = LONG_MESSAGE});
        /* No more requests: it exits. */
        close(peer.requests);
        peer.requests = -1;
        wait_for(1, DOCA_SUCCESS);
        CHECK_EQUAL(1, message.bytes[LONG_MESSAGE - 1]);
        CHECK_SUCCESS(get_reply(&peer).result);
        end_peer(&peer);
        stop_side(&side);
    }
    destroy_side(&side);
    destroy_long_message(&message);
}

/*
 * Suspends the sender of a long message during the message, and stops the context. Returns whether the receive did not
 * complete before: the sender may have sent all before it was suspended.
 */
static bool
a_stop_waits_for_the_sender(const struct long_message *message) {
    struct peer peer = start_connected_peer();
    receive_long(message);
    await_long(&peer, message);
    suspend(&peer);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(side.ctx));
    for (int i = 0; i < NUM_ROUNDS; i++) {
        (void)doca_pe_progress(pe);
    }
    const bool waits = find_event(1) == NULL;
    if (waits) {
        CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(&side));
    }
    kill(peer.pid, SIGCONT);
    wait_for(1, DOCA_ERROR_BAD_STATE);
    /* The sender has finished before the memory was returned. */
    CHECK(message->bytes[LONG_MESSAGE - 1] != 0);
    forget_events();
    while (state_of(&side) != DOCA_CTX_STATE_IDLE) {
        progress_or_rest(pe);
    }
    (void)get_reply(&peer);
    end_peer(&peer);
    return waits;
}

static void
memory_is_not_returned_while_a_suspended_sender_may_write_to_it(void) {
    const struct long_message message = create_long_message();
    bool has_waited = false;
    side = create_side();
    for (int i = 0; i < MAX_KILLS && !has_waited; i++) {
        start_side(&side);
        has_waited = a_stop_waits_for_the_sender(&message);
    }
    if (!has_waited) {
        CHECK_FAILED("each of %d senders delivered its message before it was suspended", MAX_KILLS);
    }
    destroy_side(&side);
    destroy_long_message(&message);
}

/* As if another thread of the peer had been in the middle of an operation. */
static void
a_stop_does_not_wait_for_a_peer_that_runs_another_program(void) {
    side = create_running_side();
    struct peer peer = start_connected_peer();
    add_users(1);
    send_request(&peer, (struct request){.action = PEER_BECOME_ANOTHER_PROGRAM});
    /* The new program answers. */
    (void)ask(&peer, (struct request){.action = PEER_PEEK});
    CHECK_SUCCESS(doca_ctx_stop(side.ctx));
    CHECK_SUCCESS(doca_rdma_destroy(side.rdma));
    end_peer(&peer);
}

/* Nothing is written once the context has stopped. */
static void
a_stop_ends_the_access_of_peers(void) {
    side = create_running_side();
    struct peer peer = start_connected_peer();
    struct doca_mmap *exported = share_with(&peer);
    memset(memory, 0, 8);
    send_request(&peer, (struct request){.action = PEER_WRITE_ON});
    while (__atomic_load_n((uint64_t *)memory, __ATOMIC_RELAXED) < 100) {
        sched_yield();
    }
    CHECK_SUCCESS(doca_ctx_stop(side.ctx));
    const uint64_t last = __atomic_load_n((uint64_t *)memory, __ATOMIC_RELAXED);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, get_reply(&peer).result);
    CHECK_EQUAL(last, __atomic_load_n((uint64_t *)memory, __ATOMIC_RELAXED));
    /* The peer recovers like this side. */
    ask(&peer, (struct request){.action = PEER_STOP});
    ask(&peer, (struct request){.action = PEER_START});
    start_side(&side);
    connect_peer_at(&peer, 0, 0);
    CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, 1)));
    CHECK_SUCCESS(ask(&peer, (struct request){.action = PEER_SEND, .len = 0}).result);
    wait_for(1, DOCA_SUCCESS);
    destroy_side(&side);
    end_peer(&peer);
    CHECK_SUCCESS(doca_mmap_destroy(exported));
}

static void
details_of_a_process_that_has_ended_are_refused(void) {
    side = create_running_side();
    for (int killed = 0; killed <= 1; killed++) {
        struct peer peer = start_peer("peer", "dpu");
        ask(&peer, (struct request){.action = PEER_CREATE, .permissions = ALL_PERMISSIONS});
        const struct reply exported = ask(&peer, (struct request){.action = PEER_EXPORT});
        if (killed) {
            kill_peer(&peer);
        } else {
            ask(&peer, (struct request){.action = PEER_STOP});
        }
        export_connection(&side, (size_t)killed);
        CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "has ended",
                      doca_rdma_connect(side.rdma, exported.details, exported.details_size, side.connections[killed]));
        if (!killed) {
            end_peer(&peer);
        }
    }
    destroy_side(&side);
}

/*
 * Several peers
 */

static void
memory_of_another_process_is_not_the_peers(void) {
    side = create_running_side();
    struct peer peer = start_connected_peer();
    struct peer other = start_peer("peer", "host");
    ask(&other, (struct request){.action = PEER_CREATE, .permissions = ALL_PERMISSIONS});
    connect_peer_at(&other, 1, 0);
    struct remote remote = share_of(&other);
    struct doca_buf *src = source(0, 8);
    struct doca_buf *there = space_of(remote.imported, remote.addr, 8);
    CHECK_SUCCESS(doca_task_submit(make_write(&side, 1, src, there, 1)));
    wait_for(1, DOCA_SUCCESS);
    CHECK_SUCCESS(doca_buf_reset_data_len(there));
    CHECK_SUCCESS(doca_task_submit(make_write(&side, 0, src, there, 2)));
    wait_for(2, DOCA_ERROR_IO_FAILED);
    check_logged("is not of memory of the peer");
    GIVE_BACK(src, there);
    destroy_side(&side);
    CHECK_SUCCESS(doca_mmap_destroy(remote.imported));
    end_peer(&peer);
    end_peer(&other);
}

/* Additions of two peers with four connections each, and of the owner itself. */
static void
no_addition_is_lost(void) {
    struct peer peers[2];
    struct doca_mmap *exported[2];
    struct peer_state own = {.side = create_running_side(), .addr = memory};
    uint64_t sum;
    side = create_running_side();
    memset(memory, 0, 8);
    for (size_t i = 0; i < 2; i++) {
        peers[i] = start_peer("peer", "dpu");
        ask(&peers[i], (struct request){.action = PEER_CREATE, .permissions = ALL_PERMISSIONS});
        for (size_t j = 0; j < NUM_CONNECTIONS; j++) {
            connect_peer_at(&peers[i], i * NUM_CONNECTIONS + j, j);
        }
        exported[i] = share_with(&peers[i]);
    }
    struct side passive = create_running_side();
    for (size_t i = 0; i < NUM_CONNECTIONS; i++) {
        export_connection(&own.side, i);
        export_connection(&passive, i);
        CHECK_SUCCESS(connect_to(&own.side, i, &passive, i));
        CHECK_SUCCESS(connect_to(&passive, i, &own.side, i));
    }
    struct shared shared = share(memory, 4096, ALL_PERMISSIONS);
    own.imported = shared.imported;
    for (size_t i = 0; i < 2; i++) {
        send_request(&peers[i], (struct request){.action = PEER_ADD, .value = NUM_ADDS});
    }
    /* The results are in other memory. */
    struct doca_buf *result = target(1024, 8);
    struct doca_buf *there = space_of(own.imported, memory, 8);
    struct doca_task *task = make_fetch_add(&own.side, 0, there, result, 1, 1);
    for (int i = 0; i < NUM_ADDS; i++) {
        CHECK_SUCCESS(doca_buf_reset_data_len(result));
        REQUIRE_SUCCESS(doca_task_submit(task));
        progress_until(1);
        check_event(1, DOCA_SUCCESS);
        num_events = 0;
    }
    doca_task_free(task);
    for (size_t i = 0; i < 2; i++) {
        CHECK_SUCCESS(get_reply(&peers[i]).result);
    }
    memcpy(&sum, memory, sizeof(sum));
    CHECK_EQUAL((2 * NUM_CONNECTIONS + 1) * NUM_ADDS, sum);
    GIVE_BACK(result, there);
    end_share(&shared);
    destroy_side(&own.side);
    destroy_side(&passive);
    destroy_side(&side);
    for (size_t i = 0; i < 2; i++) {
        end_peer(&peers[i]);
        CHECK_SUCCESS(doca_mmap_destroy(exported[i]));
    }
}

static void
nothing_is_left_behind(void) {
    const struct resources before = count_resources();
    side = create_running_side();
    struct peer peer = start_connected_peer();
    CHECK_SUCCESS(doca_task_submit(make_receive(&side, NULL, 1)));
    CHECK_SUCCESS(ask(&peer, (struct request){.action = PEER_SEND, .len = 0}).result);
    wait_for(1, DOCA_SUCCESS);
    destroy_side(&side);
    end_peer(&peer);
    const struct resources after = count_resources();
    CHECK_EQUAL(before.num_files, after.num_files);
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    memory_of_a_sleeping_peer_is_used();
    messages_go_both_ways();
    memory_of_the_host_is_sent_and_read();
    a_sleeping_sender_learns_of_the_receive();
    check_nothing_logged();
    operations_on_a_killed_peer_fail();
    memory_of_a_killed_peer_cannot_be_reached();
    a_fault_kills_the_owner_of_memory();
    a_sender_that_is_killed_in_the_middle_fails_the_receive();
    a_message_outlives_its_sender();
    memory_is_not_returned_while_a_suspended_sender_may_write_to_it();
    a_stop_does_not_wait_for_a_peer_that_runs_another_program();
    a_stop_ends_the_access_of_peers();
    details_of_a_process_that_has_ended_are_refused();
    memory_of_another_process_is_not_the_peers();
    check_nothing_logged();
    no_addition_is_lost();
    nothing_is_left_behind();
    check_nothing_logged();
    close_fixture();
}

int
main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "peer") == 0) {
        return run_peer();
    }
    if (argc == 2 && strcmp(argv[1], "host") == 0) {
        return run_host();
    }
    check_with_engines(run_all);
    return check_result();
}
