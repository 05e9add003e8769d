/* SPDX-License-Identifier: Apache-2.0 */
/* All tasks of RDMA contexts, both sides in one process. */
#include <poll.h>

#include "rdma_fixture.h"

static struct side a;
static struct side b;

static void
begin(void) {
    a = create_running_side();
    b = create_running_side();
    connect_sides(&a, &b);
}

static void
end(void) {
    destroy_side(&a);
    destroy_side(&b);
}

static void
check_received(uint64_t number, enum doca_rdma_opcode opcode, uint32_t len, uint32_t immediate,
               const struct doca_rdma_connection *connection) {
    const struct task_event *event = find_event(number);
    check_event(number, DOCA_SUCCESS);
    if (event == NULL) {
        return;
    }
    const struct doca_rdma_task_receive *task = (const struct doca_rdma_task_receive *)event->task;
    CHECK_EQUAL(opcode, doca_rdma_task_receive_get_result_opcode(task));
    CHECK_EQUAL(len, doca_rdma_task_receive_get_result_len(task));
    if (opcode != DOCA_RDMA_OPCODE_RECV_SEND) {
        CHECK_EQUAL(immediate, doca_rdma_task_receive_get_result_immediate_data(task));
    }
    CHECK_POINTER(connection, doca_rdma_task_receive_get_result_rdma_connection(task));
}

/* The program moves the data segment of a posted receive, so that the message no longer fits behind it. */
static void
a_received_message_extends_a_buffer_only_to_its_end(void) {
    static const struct {
        size_t offset;
        size_t expected;
    } cases[] = {{90, 10}, {91, 9}, {100, 0}};
    begin();
    fill(0, 10, 7);
    struct doca_buf *src = source(0, 10);
    struct doca_buf *dst = target(4096, 100);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_SUCCESS(doca_buf_set_data(dst, memory + 4096, 0));
        CHECK_SUCCESS(doca_task_submit(make_receive(&b, dst, 1)));
        CHECK_SUCCESS(doca_buf_set_data(dst, memory + 4096 + cases[i].offset, 0));
        CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, src, 2)));
        progress_until(2);
        check_received(1, DOCA_RDMA_OPCODE_RECV_SEND, 10, 0, b.connections[0]);
        check_filled(memory + 4096, 10, 7);
        CHECK_EQUAL(cases[i].expected, data_len_of(dst));
        forget_events();
    }
    GIVE_BACK(src, dst);
    end();
}

/*
 * Messages
 */

/* The ring of receives wraps many times, and tasks are reused. */
static void
tasks_are_used_again_and_again(void) {
    begin();
    struct doca_buf *src = source(0, 8);
    struct doca_buf *dst = target(4096, 8);
    struct doca_task *receive = make_receive(&b, dst, 1);
    struct doca_task *send = make_send(&a, 0, src, 2);
    for (uint64_t i = 0; i < 1000; i++) {
        memcpy(memory, &i, sizeof(i));
        CHECK_SUCCESS(doca_buf_reset_data_len(dst));
        CHECK_SUCCESS(doca_task_submit(receive));
        CHECK_SUCCESS(doca_task_submit(send));
        progress_until(2);
        check_event(1, DOCA_SUCCESS);
        check_event(2, DOCA_SUCCESS);
        CHECK(memcmp(memory + 4096, &i, sizeof(i)) == 0);
        num_events = 0;
    }
    doca_task_free(receive);
    doca_task_free(send);
    GIVE_BACK(src, dst);
    end();
}

/* Not even its first bytes arrive. */
static void
a_message_that_is_a_byte_too_long_is_not_written(void) {
    struct doca_buf *src = source(0, 11);
    struct doca_buf *dst = target(4096, 10);
    fill(0, 11, 7);
    fill(4096, 11, 100);
    begin();
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, dst, 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, src, 2)));
    progress_until(2);
    check_event(1, DOCA_ERROR_IO_FAILED);
    check_event(2, DOCA_ERROR_IO_FAILED);
    check_filled(memory + 4096, 11, 100);
    CHECK_EQUAL(0, data_len_of(dst));
    GIVE_BACK(src, dst);
    end();
}

static void
a_task_in_flight_does_not_change(void) {
    begin();
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    struct doca_buf *remote = space_of(shared.imported, memory + 8192, 8);
    struct doca_buf *result = target(64, 8);
    struct doca_task *add = make_fetch_add(&a, 0, remote, result, 5, 1);
    struct doca_rdma_task_atomic_fetch_add *task = (struct doca_rdma_task_atomic_fetch_add *)add;
    CHECK_SUCCESS(doca_task_submit(add));
    doca_rdma_task_atomic_fetch_add_set_rdma_connection(task, NULL);
    check_logged("Failed to change: is in flight");
    doca_rdma_task_atomic_fetch_add_set_result_buf(task, NULL);
    check_logged("Failed to change: is in flight");
    doca_rdma_task_atomic_fetch_add_set_dst_buf(task, NULL);
    check_logged("Failed to change: is in flight");
    doca_rdma_task_atomic_fetch_add_set_add_data(task, 6);
    check_logged("Failed to change: is in flight");
    CHECK_EQUAL(5, doca_rdma_task_atomic_fetch_add_get_add_data(task));
    progress_until(1);
    check_event(1, DOCA_SUCCESS);
    CHECK_EQUAL(8, data_len_of(result));
    doca_rdma_task_atomic_fetch_add_set_add_data(task, 6);
    CHECK_EQUAL(6, doca_rdma_task_atomic_fetch_add_get_add_data(task));
    forget_events();
    GIVE_BACK(remote, result);
    end_share(&shared);
    end();
}

/* They are returned to inventories that are destroyed. */
static void
buffers_may_be_returned_while_their_tasks_are_in_flight(void) {
    begin();
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    struct doca_buf_inventory *kept = inventory;
    fill(0, 64, 2);
    inventory = start_inventory(8);
    struct doca_buf *bufs[] = {source(0, 64), target(1024, 64), space_of(shared.imported, memory + 8192, 64),
                               space_of(shared.imported, memory + 8192 + 512, 8), target(2048, 8)};
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, bufs[1], 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, bufs[0], 2)));
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, bufs[0], bufs[2], 3)));
    CHECK_SUCCESS(doca_task_submit(make_fetch_add(&a, 0, bufs[3], bufs[4], 5, 4)));
    for (size_t i = 0; i < sizeof(bufs) / sizeof(bufs[0]); i++) {
        give_back(bufs[i]);
    }
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    inventory = kept;
    progress_until(4);
    for (uint64_t number = 1; number <= 4; number++) {
        check_event(number, DOCA_SUCCESS);
    }
    check_filled(memory + 1024, 64, 2);
    check_filled(memory + 8192, 64, 2);
    forget_events();
    end_share(&shared);
    end();
}

/*
 * Connections
 */

static void
a_context_may_be_its_own_peer(void) {
    a = create_running_side();
    export_connection(&a, 0);
    export_connection(&a, 1);
    CHECK_SUCCESS(connect_to(&a, 0, &a, 1));
    CHECK_SUCCESS(connect_to(&a, 1, &a, 0));
    fill(0, 64, 6);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    CHECK_SUCCESS(doca_task_submit(make_receive(&a, dst, 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, src, 2)));
    progress_until(2);
    check_received(1, DOCA_RDMA_OPCODE_RECV_SEND, 64, 0, a.connections[1]);
    check_filled(memory + 4096, 64, 6);
    forget_events();
    GIVE_BACK(src, dst);
    destroy_side(&a);
}

static void
connecting_checks_its_arguments(void) {
    struct doca_rdma_connection *connection;
    const void *details;
    size_t size;
    a = create_side();
    b = create_running_side();
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_export(a.rdma, NULL, &size, &connection));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_export(a.rdma, &details, NULL, &connection));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_export(a.rdma, &details, &size, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_export(NULL, &details, &size, &connection));
    start_side(&a);
    export_connection(&a, 0);
    export_connection(&b, 0);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connect(a.rdma, NULL, 80, a.connections[0]));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connect(a.rdma, b.details[0], 0, a.connections[0]));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "connection of RDMA",
                  doca_rdma_connect(a.rdma, b.details[0], b.details_size[0], b.connections[0]));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connect(a.rdma, b.details[0], b.details_size[0], NULL));
    end();
}

/* A third context cannot connect to a peer that is connected. */
static void
a_peer_that_is_taken_is_refused(void) {
    begin();
    export_connection(&a, 1);
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "connected to another one", connect_to(&a, 1, &b, 0));
    end();
}

static void
altered_details_are_refused(void) {
    begin();
    export_connection(&a, 1);
    export_connection(&b, 1);
    for (size_t i = 0; i < b.details_size[1]; i++) {
        b.details[1][i] ^= 0x10;
        CHECK_ERROR(DOCA_ERROR_CONNECTION_ABORTED, connect_to(&a, 1, &b, 1));
        b.details[1][i] ^= 0x10;
    }
    b.details_size[1]--;
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "79 bytes instead of 80", connect_to(&a, 1, &b, 1));
    b.details_size[1]++;
    CHECK_SUCCESS(connect_to(&a, 1, &b, 1));
    last_error[0] = '\0';
    end();
}

/*
 * Failure
 */

/* Both have gone to STOPPING, or one of them has; afterwards the old run has no effect, and a new one works. */
static void
recover(struct side *side) {
    while (state_of(side) == DOCA_CTX_STATE_STOPPING) {
        forget_events();
        doca_pe_progress(pe);
    }
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of(side));
    start_side(side);
}

static void
check_works(void) {
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 900)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, 901)));
    progress_until(2);
    check_event(900, DOCA_SUCCESS);
    check_event(901, DOCA_SUCCESS);
    forget_events();
}

static void
remains_of_a_run_have_no_effect(void) {
    begin();
    struct side old = a;
    stop_side(&a);
    start_side(&a);
    CHECK_SUCCESS(doca_task_submit(make_write(&b, 0, NULL, NULL, 1)));
    progress_until(1);
    check_event(1, DOCA_ERROR_IO_FAILED);
    recover(&b);
    last_error[0] = '\0';
    export_connection(&b, 0);
    CHECK_ERROR(DOCA_ERROR_CONNECTION_ABORTED, connect_to(&b, 0, &old, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_rdma_connect(a.rdma, b.details[0], b.details_size[0], old.connections[0]));
    struct doca_task *stale = make_send(&old, 0, NULL, 2);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_submit(stale));
    doca_task_free(stale);
    last_error[0] = '\0';
    export_connection(&a, 0);
    CHECK_SUCCESS(connect_to(&a, 0, &b, 0));
    CHECK_SUCCESS(connect_to(&b, 0, &a, 0));
    check_works();
    end();
}

static void
a_send_without_a_receive_fails_in_the_end(void) {
    for (uint8_t count = 0; count <= 1; count++) {
        a = create_side();
        b = create_running_side();
        CHECK_SUCCESS(doca_rdma_set_rnr_retry_count(a.rdma, count));
        start_side(&a);
        connect_sides(&a, &b);
        CHECK_SUCCESS(doca_task_submit(make_write_imm(&a, 0, NULL, NULL, 1, 1)));
        CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 2)));
        progress_until(2);
        check_event(1, DOCA_ERROR_IO_FAILED);
        check_event(2, DOCA_ERROR_BAD_STATE);
        check_logged("the peer has posted no receive");
        CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(&b));
        end();
    }
}

static void
the_stop_of_the_peer_fails_operations(void) {
    begin();
    stop_side(&b);
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 1)));
    progress_until(1);
    check_event(1, DOCA_ERROR_IO_FAILED);
    check_logged("the peer has ended");
    end();
}

/* Missing permissions and impossible operations */

/* Checks that the write, read or atomic operation fails with the reason. */
static void
check_operation_fails(const char *reason, struct doca_task *(*make)(struct doca_buf *), struct doca_buf *remote) {
    CHECK_SUCCESS(doca_task_submit(make(remote)));
    progress_until(1);
    check_event(1, DOCA_ERROR_IO_FAILED);
    check_logged(reason);
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(&a));
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(&b));
    recover(&a);
    stop_side(&b);
    start_side(&b);
    connect_sides(&a, &b);
}

static struct doca_buf *local;

static struct doca_task *
write_it(struct doca_buf *remote) {
    CHECK_SUCCESS(doca_buf_set_data(local, memory, 8));
    CHECK_SUCCESS(doca_buf_reset_data_len(remote));
    return make_write(&a, 0, local, remote, 1);
}

static struct doca_task *
write_it_with_immediate(struct doca_buf *remote) {
    CHECK_SUCCESS(doca_buf_set_data(local, memory, 8));
    CHECK_SUCCESS(doca_buf_reset_data_len(remote));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 2)));
    return make_write_imm(&a, 0, local, remote, 1, 1);
}

static struct doca_task *
read_it(struct doca_buf *remote) {
    CHECK_SUCCESS(doca_buf_reset_data_len(local));
    CHECK_SUCCESS(doca_buf_set_data_len(remote, 8));
    return make_read(&a, 0, remote, local, 1);
}

static struct doca_task *
add_to_it(struct doca_buf *remote) {
    return make_fetch_add(&a, 0, remote, local, 1, 1);
}

static struct doca_task *
swap_it(struct doca_buf *remote) {
    return make_cmp_swp(&a, 0, remote, local, 1, 1, 1);
}

static const struct {
    struct doca_task *(*make)(struct doca_buf *remote);
    uint32_t permission;
} operations[] = {
        {write_it, DOCA_ACCESS_FLAG_RDMA_WRITE},         {write_it_with_immediate, DOCA_ACCESS_FLAG_RDMA_WRITE},
        {read_it, DOCA_ACCESS_FLAG_RDMA_READ},           {add_to_it, DOCA_ACCESS_FLAG_RDMA_ATOMIC},
        {swap_it, DOCA_ACCESS_FLAG_RDMA_ATOMIC},
};

#define NUM_OPERATIONS (sizeof(operations) / sizeof(operations[0]))

/* Each operation, with all permissions but the one that it needs: of the context, or of the memory. */
static void
each_operation_needs_its_permission_twice(void) {
    for (size_t i = 0; i < NUM_OPERATIONS; i++) {
        const uint32_t others = ALL_PERMISSIONS & ~operations[i].permission;
        for (int of_context = 0; of_context <= 1; of_context++) {
            a = create_running_side();
            b = create_side();
            CHECK_SUCCESS(doca_rdma_set_permissions(b.rdma, of_context ? others : ALL_PERMISSIONS));
            start_side(&b);
            connect_sides(&a, &b);
            struct shared shared =
                    share(memory + 8192, 4096, (of_context ? ALL_PERMISSIONS : others) | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
            struct doca_buf *remote = space_of(shared.imported, memory + 8192, 8);
            local = target(0, 8);
            check_operation_fails(of_context ? "the peer's context does not permit it"
                                             : "the remote mmap does not permit it",
                                  operations[i].make, remote);
            end();
            GIVE_BACK(remote, local);
            end_share(&shared);
        }
    }
}

/* And nothing else. */
static void
each_operation_needs_no_other_permission(void) {
    for (size_t i = 0; i < NUM_OPERATIONS; i++) {
        a = create_side();
        b = create_side();
        CHECK_SUCCESS(doca_rdma_set_permissions(a.rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
        CHECK_SUCCESS(doca_rdma_set_permissions(b.rdma, operations[i].permission));
        start_side(&a);
        start_side(&b);
        connect_sides(&a, &b);
        struct shared shared =
                share(memory + 8192, 4096, operations[i].permission | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
        struct doca_buf *remote = space_of(shared.imported, memory + 8192, 8);
        local = target(0, 8);
        CHECK_SUCCESS(doca_task_submit(operations[i].make(remote)));
        progress_until(1);
        while (find_event(1) == NULL) {
            doca_pe_progress(pe);
        }
        check_event(1, DOCA_SUCCESS);
        end();
        GIVE_BACK(remote, local);
        end_share(&shared);
    }
}

static void
remote_memory_must_belong_to_the_peer(void) {
    begin();
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    struct doca_buf *own = target(8192, 64);
    local = target(0, 64);
    for (size_t i = 0; i < NUM_OPERATIONS; i++) {
        check_operation_fails("is not of memory of the peer", operations[i].make, own);
    }
    /* And local memory must not be remote. */
    struct doca_buf *remote = data_of(shared.imported, memory + 8192, 8);
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 2)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, remote, 1)));
    progress_until(1);
    check_event(1, DOCA_ERROR_IO_FAILED);
    check_logged("does not let this device read");
    recover(&a);
    CHECK_SUCCESS(doca_buf_reset_data_len(remote));
    CHECK_SUCCESS(doca_task_submit(make_receive(&a, remote, 3)));
    while (find_event(3) == NULL) {
        doca_pe_progress(pe);
    }
    check_event(3, DOCA_ERROR_IO_FAILED);
    check_logged("memory of another process cannot receive");
    end();
    GIVE_BACK(own, remote, local);
    end_share(&shared);
}

static void
memory_that_is_shared_no_more_fails(void) {
    begin();
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    struct doca_buf *remote = space_of(shared.imported, memory + 8192, 8);
    local = target(0, 8);
    CHECK_SUCCESS(doca_mmap_stop(shared.exported));
    for (size_t i = 0; i < NUM_OPERATIONS; i++) {
        check_operation_fails("the memory cannot be reached", operations[i].make, remote);
    }
    end();
    GIVE_BACK(remote, local);
    end_share(&shared);
}

/* Waits for the failure of the only task, and connects the sides again. */
static void
await_failure(const char *reason) {
    progress_until(1);
    check_event(1, DOCA_ERROR_IO_FAILED);
    check_logged(reason);
    recover(&a);
    stop_side(&b);
    start_side(&b);
    connect_sides(&a, &b);
}

/* A task that try_submit refuses fails when it is submitted. */
static void
check_refused(const char *reason, struct doca_task *task) {
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(task));
    check_logged(reason);
    CHECK_SUCCESS(doca_task_submit(task));
    await_failure(reason);
}

/* A try of a submission does not find the fault of such a task, which fails. */
static void
check_unnoticed(const char *reason, struct doca_task *task) {
    CHECK_SUCCESS(doca_task_try_submit(task));
    await_failure(reason);
}

static void
unsuitable_buffers_are_refused(void) {
    begin();
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    struct doca_buf *remote = space_of(shared.imported, memory + 8192, 64);
    struct doca_buf *odd = space_of(shared.imported, memory + 8196, 64);
    struct doca_buf *small = space_of(shared.imported, memory + 8192, 7);
    struct doca_buf *tiny = target(512, 7);
    struct doca_buf *src = source(0, 65);
    struct doca_buf *list = source(0, 1);
    struct doca_mmap *foreign_mmap = start_mmap(memory, 64, NULL);
    struct doca_buf *foreign = data_of(foreign_mmap, memory, 8);
    struct doca_buf *foreign_space = space_of(foreign_mmap, memory, 8);
    local = target(0, 64);
    for (int i = 0; i < 4; i++) {
        REQUIRE_SUCCESS(doca_buf_chain_list(list, source(0, 1)));
    }
    check_refused("too little room", make_write(&a, 0, src, remote, 1));
    check_refused("there is no destination", make_write(&a, 0, src, NULL, 1));
    check_refused("more elements", make_send(&a, 0, list, 1));
    check_refused("more elements", make_receive(&a, list, 1));
    CHECK_SUCCESS(doca_buf_set_data(odd, memory + 8196, 8));
    check_unnoticed("not aligned to 8 bytes", make_fetch_add(&a, 0, odd, local, 1, 1));
    check_refused("has no 8 bytes", make_fetch_add(&a, 0, small, local, 1, 1));
    check_refused("buffer for the result has no room for 8 bytes", make_cmp_swp(&a, 0, remote, tiny, 1, 1, 1));
    check_refused("there is no destination", make_cmp_swp(&a, 0, NULL, local, 1, 1, 1));
    check_refused("there is no buffer for the result", make_fetch_add(&a, 0, remote, NULL, 1, 1));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 2)));
    check_unnoticed("does not let this device read", make_send(&a, 0, foreign, 1));
    CHECK_SUCCESS(doca_buf_set_data(remote, memory + 8192, 8));
    check_unnoticed("does not let this device write", make_fetch_add(&a, 0, remote, foreign_space, 1, 1));
    end();
    GIVE_BACK(remote, odd, small, tiny, src, list, local, foreign, foreign_space);
    CHECK_SUCCESS(doca_mmap_destroy(foreign_mmap));
    end_share(&shared);
}

/* The number of submitted tasks that wait for the peer. */
static void
submit_sends(uint64_t first, uint64_t count) {
    for (uint64_t number = first; number < first + count; number++) {
        CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, number)));
    }
}

/* A send queue that is longer than the pools limits them together. */
static void
the_send_queue_is_limited(void) {
    a = create_side();
    b = create_running_side();
    CHECK_SUCCESS(doca_rdma_set_send_queue_size(a.rdma, 65));
    start_side(&a);
    export_connection(&a, 0);
    export_connection(&b, 0);
    CHECK_SUCCESS(connect_to(&a, 0, &b, 0));
    submit_sends(1, NUM_TASKS);
    for (uint64_t number = 101; number <= 164; number++) {
        CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, number)));
    }
    struct doca_task *more = make_read(&a, 0, NULL, NULL, 200);
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "the send queue has its 128 tasks", doca_task_submit(more));
    doca_task_free(more);
    end();
}

static void
release_2_5_limits_both_queues(void) {
    a = create_side();
    b = create_side();
    CHECK_SUCCESS(doca_rdma_set_send_queue_size(a.rdma, 3));
    CHECK_SUCCESS(doca_rdma_set_recv_queue_size(b.rdma, 2));
    start_side(&a);
    start_side(&b);
    export_connection(&a, 0);
    export_connection(&b, 0);
    CHECK_SUCCESS(connect_to(&a, 0, &b, 0));
    submit_sends(1, 4);
    struct doca_task *fifth = make_send(&a, 0, NULL, 5);
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "the send queue has its 4 tasks", doca_task_submit(fifth));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 11)));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 12)));
    struct doca_task *third = make_receive(&b, NULL, 13);
    CHECK_REFUSED(DOCA_ERROR_AGAIN, "2 receives are posted", doca_task_submit(third));
    CHECK_SUCCESS(connect_to(&b, 0, &a, 0));
    progress_until(4);
    CHECK_SUCCESS(doca_task_submit(fifth));
    CHECK_SUCCESS(doca_task_submit(third));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 14)));
    progress_until(8);
    for (size_t i = 0; i < num_events; i++) {
        CHECK_ERROR(DOCA_SUCCESS, events[i].status);
    }
    end();
}

/* A queue of no places has one. */
static void
sizes_of_0_are_1(void) {
    a = create_side();
    b = create_side();
    CHECK_SUCCESS(doca_rdma_set_send_queue_size(a.rdma, 0));
    CHECK_SUCCESS(doca_rdma_set_max_send_buf_list_len(a.rdma, 0));
    CHECK_SUCCESS(doca_rdma_set_recv_queue_size(b.rdma, 0));
    start_side(&a);
    start_side(&b);
    connect_sides(&a, &b);
    struct doca_buf *src = source(0, 8);
    struct doca_buf *dst = target(4096, 8);
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, src, 1)));
    struct doca_task *second = make_send(&a, 0, NULL, 2);
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "the send queue has its 1 tasks", doca_task_submit(second));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, dst, 3)));
    progress_until(2);
    check_event(1, DOCA_SUCCESS);
    check_event(3, DOCA_SUCCESS);
    doca_task_free(second);
    end();
    GIVE_BACK(src, dst);
}

/*
 * Stops and failures
 */

/* Executed but unreported tasks fail too, in the order of submission. */
static void
a_stop_fails_what_was_not_reported(void) {
    begin();
    for (uint64_t number = 1; number <= 32; number++) {
        CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, number)));
    }
    progress_until(1);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(a.ctx));
    progress_until(32);
    for (size_t i = 0; i < num_events; i++) {
        CHECK_EQUAL(i + 1, events[i].number);
        CHECK_ERROR(i == 0 ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE, events[i].status);
    }
    end();
}

/* The send waits for a receive of the peer, so a thread executes only the first task. */
static void
a_stop_fails_executed_tasks_first(void) {
    const char *engine = getenv("DOCA_EMULATOR_ENGINE");
    begin();
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    fill(0, 500, 9);
    memset(memory + 8192, 0, 1024);
    struct doca_buf *src = source(0, 500);
    struct doca_buf *first = space_of(shared.imported, memory + 8192, 500);
    struct doca_buf *last = space_of(shared.imported, memory + 8192 + 512, 500);
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, src, first, 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, src, 2)));
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, src, last, 3)));
    sleep_once(pe);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(a.ctx));
    CHECK_EQUAL(0, num_events);
    progress_until(3);
    for (size_t i = 0; i < num_events; i++) {
        CHECK_EQUAL(i + 1, events[i].number);
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, events[i].status);
    }
    if (strcmp(engine, "threaded") == 0) {
        check_filled(memory + 8192, 500, 9);
    }
    CHECK_EQUAL(0, memory[8192 + 512]);
    forget_events();
    GIVE_BACK(src, first, last);
    end_share(&shared);
    end();
}

static size_t num_resubmitted;

/* Until the first failure was seen often enough. */
static void
on_failure_resubmit(struct doca_rdma_task_send *failed, union doca_data number, union doca_data unused) {
    on_failure(failed, number, unused);
    if (num_resubmitted == 0) {
        num_resubmitted++;
        CHECK_SUCCESS(doca_task_submit(doca_rdma_task_send_as_task(failed)));
        CHECK_SUCCESS(doca_task_submit(make_read(&a, 0, NULL, NULL, 3)));
    }
}

/* The context runs in the callback of the first failure. Tasks submitted there fail with the others. */
static void
a_failed_task_can_be_submitted_in_its_callback(void) {
    a = create_side();
    b = create_running_side();
    num_resubmitted = 0;
    REQUIRE_SUCCESS(doca_rdma_task_write_set_conf(a.rdma, (doca_rdma_task_write_completion_cb_t)on_success,
                                                  (doca_rdma_task_write_completion_cb_t)on_failure_resubmit, 8));
    start_side(&a);
    connect_sides(&a, &b);
    struct doca_buf *src = source(0, 8);
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, src, NULL, 1)));
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 2)));
    progress_until(4);
    const uint64_t numbers[] = {1, 2, 1, 3};
    for (size_t i = 0; i < 4; i++) {
        CHECK_EQUAL(numbers[i], events[i].number);
        CHECK_ERROR(i == 0 ? DOCA_ERROR_IO_FAILED : DOCA_ERROR_BAD_STATE, events[i].status);
        CHECK_EQUAL(i == 0 ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_STOPPING, events[i].state);
    }
    check_logged("there is no destination");
    /* The first and the third event are of the same task. */
    events[0] = events[3];
    num_events = 3;
    give_back(src);
    end();
}

static void
tasks_need_a_connection_that_is_connected(void) {
    begin();
    export_connection(&a, 1);
    struct doca_task *task = make_send(&a, 1, NULL, 1);
    CHECK_REFUSED(DOCA_ERROR_NOT_CONNECTED, "is not connected", doca_task_submit(task));
    doca_rdma_task_send_set_rdma_connection((struct doca_rdma_task_send *)task, b.connections[0]);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is of RDMA", doca_task_submit(task));
    doca_rdma_task_send_set_rdma_connection((struct doca_rdma_task_send *)task, NULL);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_submit(task));
    doca_rdma_task_send_set_rdma_connection((struct doca_rdma_task_send *)task, a.connections[0]);
    CHECK_SUCCESS(doca_task_submit(task));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 2)));
    progress_until(2);
    check_event(1, DOCA_SUCCESS);
    last_error[0] = '\0';
    end();
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    a_received_message_extends_a_buffer_only_to_its_end();
    tasks_are_used_again_and_again();
    a_message_that_is_a_byte_too_long_is_not_written();
    a_task_in_flight_does_not_change();
    buffers_may_be_returned_while_their_tasks_are_in_flight();
    a_context_may_be_its_own_peer();
    check_nothing_logged();
    connecting_checks_its_arguments();
    a_peer_that_is_taken_is_refused();
    altered_details_are_refused();
    remains_of_a_run_have_no_effect();
    a_send_without_a_receive_fails_in_the_end();
    the_stop_of_the_peer_fails_operations();
    each_operation_needs_its_permission_twice();
    each_operation_needs_no_other_permission();
    remote_memory_must_belong_to_the_peer();
    memory_that_is_shared_no_more_fails();
    unsuitable_buffers_are_refused();
    the_send_queue_is_limited();
    a_stop_fails_what_was_not_reported();
    a_stop_fails_executed_tasks_first();
    a_failed_task_can_be_submitted_in_its_callback();
    tasks_need_a_connection_that_is_connected();
    check_nothing_logged();
    close_fixture();
}

static void
run_2_5(void) {
    keep_errors();
    open_fixture();
    release_2_5_limits_both_queues();
    sizes_of_0_are_1();
    check_nothing_logged();
    close_fixture();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_RELEASE", "2.5", run_2_5);
    check_with_engines(run_all);
    return check_result();
}
