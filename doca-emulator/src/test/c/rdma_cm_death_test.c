/* SPDX-License-Identifier: Apache-2.0 */
/* The death of a process ends its connections by address, and does not affect connected contexts otherwise. */
#include <poll.h>

#include "peer.h"
#include "rdma_cm_fixture.h"

#define MESSAGE_SIZE ((size_t)32 * 1024 * 1024)
#define NUM_TASKS 4

/* A completed task, and the number of connection events that preceded it on this side. */
struct ended_task {
    bool ended;
    doca_error_t status;
    size_t num_events_before;
};

static struct side side;
static uint8_t *message;
static struct doca_mmap *message_map;
/* Indexed by their user data. */
static struct ended_task tasks[NUM_TASKS];

static void
note(struct doca_task *task, union doca_data number) {
    tasks[number.u64] = (struct ended_task){true, doca_task_get_status(task), side.num_events};
    doca_task_free(task);
}

static void
note_received(struct doca_rdma_task_receive *task, union doca_data number, union doca_data unused) {
    (void)unused;
    note(doca_rdma_task_receive_as_task(task), number);
}

static void
note_sent(struct doca_rdma_task_send *task, union doca_data number, union doca_data unused) {
    (void)unused;
    note(doca_rdma_task_send_as_task(task), number);
}

static void
begin(const char *device) {
    create_side(&side, device);
    /* A sender waits without limit until there is a receive. */
    REQUIRE_SUCCESS(doca_rdma_set_rnr_retry_count(side.rdma, 7));
    REQUIRE_SUCCESS(doca_rdma_task_receive_set_conf(side.rdma, note_received, note_received, NUM_TASKS));
    REQUIRE_SUCCESS(doca_rdma_task_send_set_conf(side.rdma, note_sent, note_sent, NUM_TASKS));
    REQUIRE_SUCCESS(doca_ctx_start(side.ctx));
    memset(tasks, 0, sizeof(tasks));
    message = mmap(NULL, MESSAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    message_map = start_mmap(message, MESSAGE_SIZE, side.dev);
    inventory = start_inventory(1);
}

static void
end(void) {
    stop_and_wait(side.ctx, side.pe);
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(message_map));
    munmap(message, MESSAGE_SIZE);
    end_side(&side);
}

static void
listen_here(void) {
    begin("mlx5_0");
    REQUIRE_SUCCESS(doca_rdma_start_listen_to_port(side.rdma, PORT));
}

static void
post_receive(struct doca_buf *buf, uint64_t number) {
    struct doca_rdma_task_receive *task;
    REQUIRE_SUCCESS(doca_rdma_task_receive_allocate_init(side.rdma, buf, numbered(number), &task));
    REQUIRE_SUCCESS(doca_task_submit(doca_rdma_task_receive_as_task(task)));
}

static void
send_by_last_connection(struct doca_buf *buf, uint64_t number) {
    struct doca_rdma_task_send *task;
    REQUIRE_SUCCESS(
            doca_rdma_task_send_allocate_init(side.rdma, last_connection(&side), buf, numbered(number), &task));
    REQUIRE_SUCCESS(doca_task_submit(doca_rdma_task_send_as_task(task)));
}

static void
await_task(uint64_t number) {
    while (!tasks[number].ended) {
        progress_or_rest(side.pe);
    }
}

/*
 * The other process
 */

/* Progresses until this process is ordered to end. */
static int
run_side(void) {
    struct pollfd request = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&request, 1, 0) == 0) {
        progress_or_rest(side.pe);
    }
    end();
    return check_result();
}

static int
run_server(void) {
    const char listening = 'l';
    listen_here();
    write_fully(STDOUT_FILENO, &listening, 1);
    return run_side();
}

/* Once connected, sends a message without a zero byte, or nothing. */
static int
run_client(bool speaks, size_t len) {
    struct doca_buf *buf = NULL;
    begin("mlx5_1");
    memset(message, 0x5a, len);
    struct doca_rdma_addr *addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    ask(&side, addr, 0);
    await_event(&side, 1, NULL);
    if (len > 0) {
        buf = data_of(message_map, message, len);
    }
    if (speaks) {
        send_by_last_connection(buf, 0);
    }
    const int result = run_side();
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    return result;
}

/*
 * This process
 */

/* Checks that the side still works: another client connects, and sends a message to the receive of that number. */
static void
check_goes_on(uint64_t number) {
    const size_t num_events = side.num_events;
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of_ctx(side.ctx));
    CHECK(!tasks[number].ended);
    struct peer another = start_peer("client", "dpu");
    await_task(number);
    CHECK_SUCCESS(tasks[number].status);
    check_cm_event(&side, num_events + 1, CM_ESTABLISHED, 0);
    end_peer(&another);
    await_event(&side, num_events + 3, NULL);
}

static void
a_receive_waits_for_somebody_else(void) {
    listen_here();
    post_receive(NULL, 1);
    struct peer client = start_peer("silent client", "dpu");
    await_event(&side, 2, NULL);
    check_cm_event(&side, 1, CM_ESTABLISHED, 0);
    kill_peer(&client);
    await_event(&side, 3, NULL);
    check_cm_event(&side, 2, CM_DISCONNECTED, 0);
    settle(&side);
    check_goes_on(1);
    end();
}

/* The send waits for a receive of the server. */
static void
an_operation_fails_with_its_connection(void) {
    char listening;
    begin("mlx5_1");
    struct doca_rdma_addr *addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    for (uint64_t i = 0; i < NUM_TASKS; i++) {
        struct peer server = start_peer("server", "dpu");
        CHECK(read_fully(server.replies, &listening, 1));
        ask(&side, addr, i);
        await_event(&side, 2 * i + 1, NULL);
        check_cm_event(&side, 2 * i, CM_ESTABLISHED, i);
        send_by_last_connection(NULL, i);
        settle(&side);
        CHECK(!tasks[i].ended);
        kill_peer(&server);
        await_task(i);
        CHECK_ERROR(DOCA_ERROR_CONNECTION_RESET, tasks[i].status);
        CHECK_EQUAL(2 * i + 1, tasks[i].num_events_before);
        await_event(&side, 2 * i + 2, NULL);
        check_cm_event(&side, 2 * i + 1, CM_DISCONNECTED, i);
        CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of_ctx(side.ctx));
    }
    end();
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
}

/* The client may have finished before it is killed. */
static void
a_message_that_is_cut_off_fails_with_its_connection(void) {
    listen_here();
    struct doca_buf *buf = space_of(message_map, message, MESSAGE_SIZE);
    post_receive(buf, 1);
    post_receive(NULL, 2);
    struct peer client = start_peer("client with much to say", "dpu");
    await_event(&side, 2, NULL);
    while (__atomic_load_n(message, __ATOMIC_RELAXED) == 0) {
        sched_yield();
    }
    kill_peer(&client);
    await_task(1);
    if (tasks[1].status != DOCA_SUCCESS) {
        CHECK_ERROR(DOCA_ERROR_CONNECTION_RESET, tasks[1].status);
    }
    CHECK_EQUAL(2, tasks[1].num_events_before);
    await_event(&side, 3, NULL);
    check_cm_event(&side, 2, CM_DISCONNECTED, 0);
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    check_goes_on(2);
    end();
}

static void
run(void) {
    keep_errors();
    a_receive_waits_for_somebody_else();
    an_operation_fails_with_its_connection();
    a_message_that_is_cut_off_fails_with_its_connection();
}

int
main(int argc, char **argv) {
    if (argc > 1) {
        return strcmp(argv[1], "server") == 0          ? run_server()
               : strcmp(argv[1], "silent client") == 0 ? run_client(false, 0)
               : strcmp(argv[1], "client") == 0        ? run_client(true, 0)
                                                       : run_client(true, MESSAGE_SIZE);
    }
    use_own_runtime_dir();
    check_with_engines(run);
    rmdir(runtime_dir);
    return check_result();
}
