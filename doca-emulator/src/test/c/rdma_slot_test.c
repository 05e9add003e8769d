/* SPDX-License-Identifier: Apache-2.0 */
/* The slot of a connection that ends while the peer begins or ends an operation. */
#include <poll.h>

#include "forks.h"
#include "rdma_fixture.h"
#include "rdma_links.h"

/*
 * As if the slot was reused after the peer had read the state and the secret: the test changes only what the peer changes
 * next.
 */
static void
a_late_peer_does_not_begin_an_operation(void) {
    struct side a = create_running_side();
    struct side b = create_running_side();
    connect_sides(&a, &b);
    map_links();
    CHECK_EQUAL(2, num_blocks);
    for (size_t i = 0; i < num_blocks; i++) {
        for (uint32_t k = 0; k < blocks[i]->header.num_slots; k++) {
            atomic_fetch_xor(&blocks[i]->slots[k].users, UINT64_C(1) << 32);
        }
    }
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 1)));
    progress_until(1);
    check_event(1, DOCA_ERROR_IO_FAILED);
    check_logged("the peer has ended the connection");
    for (size_t i = 0; i < num_blocks; i++) {
        for (uint32_t k = 0; k < blocks[i]->header.num_slots; k++) {
            CHECK_EQUAL(0, (uint32_t)atomic_load(&blocks[i]->slots[k].users));
        }
    }
    unmap_links();
    forget_events();
    destroy_side(&a);
    destroy_side(&b);
}

/* As if the owner had reused the slot too early. */
static void
a_late_peer_does_not_end_the_operations_of_another(void) {
    static const uint8_t earlier[SHARE_NONCE_SIZE] = {1};
    static const uint8_t later[SHARE_NONCE_SIZE] = {2};
    struct link_slot slot;
    atomic_init(&slot.users, link_slot_no_users(earlier));
    CHECK(link_slot_add_users(&slot, earlier, 1));
    CHECK(link_slot_has_users(&slot, earlier));
    CHECK(!link_slot_has_users(&slot, later));
    atomic_store(&slot.users, link_slot_no_users(later));
    CHECK(!link_slot_has_users(&slot, later));
    CHECK(!link_slot_add_users(&slot, earlier, -1));
    CHECK(!link_slot_has_users(&slot, later));
    CHECK(link_slot_add_users(&slot, later, 1));
    CHECK(link_slot_has_users(&slot, later));
    CHECK(link_slot_add_users(&slot, later, -1));
    CHECK(!link_slot_has_users(&slot, later));
}

/*
 * A peer that is suspended during an operation: the test counts it among the users of the slot
 */

/* The number of warnings about peers that still access memory. */
static size_t num_warnings;
static char warning[1024];

static void
count_warning(char *record) {
    num_warnings += strstr(record, "still accesses memory of connection") != NULL;
}

static void
count_warnings(void) {
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(warning, sizeof(warning), count_warning, &backend));
    REQUIRE_SUCCESS(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_WARNING));
}

/* Two connected contexts, whose peers are suspended during an operation. */
struct suspension {
    struct side a;
    struct side b;
};

static struct suspension
suspend_peers(void) {
    struct suspension suspension = {.a = create_running_side(), .b = create_running_side()};
    connect_sides(&suspension.a, &suspension.b);
    add_users(1);
    return suspension;
}

static void
destroy_sides(struct suspension *suspension) {
    destroy_side(&suspension->a);
    destroy_side(&suspension->b);
}

static void
progress_times(int count) {
    for (int i = 0; i < count; i++) {
        (void)doca_pe_progress(pe);
    }
}

static void
progress_until_idle(const struct side *side) {
    while (state_of(side) != DOCA_CTX_STATE_IDLE) {
        progress_or_rest(pe);
    }
}

/* The peer may have taken any of the receives. */
static void
a_stopping_context_returns_receives_after_the_peer_has_finished(void) {
    struct suspension suspension = suspend_peers();
    struct side *b = &suspension.b;
    CHECK_SUCCESS(doca_task_submit(make_receive(b, NULL, 1)));
    CHECK_SUCCESS(doca_task_submit(make_receive(b, NULL, 2)));
    CHECK_SUCCESS(doca_task_submit(make_write(b, 0, NULL, NULL, 3)));
    progress_until(1);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(b->ctx));
    progress_times(1000);
    CHECK_EQUAL(1, num_events);
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(b));
    add_users(-1);
    while (num_events < 3) {
        sleep_once(pe);
        progress_all();
    }
    check_event(1, DOCA_ERROR_BAD_STATE);
    check_event(2, DOCA_ERROR_BAD_STATE);
    CHECK_EQUAL(1, events[1].number);
    forget_events();
    progress_until_idle(b);
    destroy_sides(&suspension);
}

static void
a_context_without_tasks_is_idle_after_the_peer_has_finished(void) {
    struct suspension suspension = suspend_peers();
    struct side *b = &suspension.b;
    num_warnings = 0;
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(b->ctx));
    progress_times(1000);
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(b));
    /* It has waited once. */
    CHECK_EQUAL(1, num_warnings);
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is stopping and not idle", doca_rdma_destroy(b->rdma));
    add_users(-1);
    progress_until_idle(b);
    destroy_sides(&suspension);
}

static void
a_disconnected_slot_is_reused_after_the_peer_has_finished(bool has_task) {
    struct side a = create_running_side();
    struct side b = create_side();
    const void *details;
    size_t details_size;
    struct doca_rdma_connection *another;
    CHECK_SUCCESS(doca_rdma_set_max_num_connections(b.rdma, 1));
    start_side(&b);
    connect_sides(&a, &b);
    progress_all();
    add_users(1);
    if (has_task) {
        CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 1)));
    }
    CHECK_SUCCESS(doca_rdma_connection_disconnect(b.connections[0]));
    progress_times(1000);
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(&b));
    CHECK_REFUSED(DOCA_ERROR_FULL, "has 1, which is its limit",
                  doca_rdma_export(b.rdma, &details, &details_size, &another));
    add_users(-1);
    while (doca_rdma_export(b.rdma, &details, &details_size, &another) != DOCA_SUCCESS) {
        check_logged("has 1, which is its limit");
        progress_or_rest(pe);
    }
    CHECK_EQUAL(0, num_events);
    destroy_side(&a);
    destroy_side(&b);
}

static struct suspension before_fork;

static void
destroy_copies(void) {
    destroy_sides(&before_fork);
}

/* The peers access memory of the parent. */
static void
a_child_does_not_wait_for_the_peer(void) {
    before_fork = suspend_peers();
    CHECK_SUCCESS(doca_task_submit(make_receive(&before_fork.b, NULL, 1)));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(before_fork.b.ctx));
    CHECK_EQUAL(0, fork_and_act(destroy_copies));
    progress_times(1000);
    CHECK_EQUAL(0, num_events);
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(&before_fork.b));
    add_users(-1);
    destroy_sides(&before_fork);
}

/* Completes the posted receive as a peer does. */
static void
forge_message(uint64_t len) {
    size_t num_forged = 0;
    map_links();
    for (size_t i = 0; i < num_blocks; i++) {
        struct link_receive *receive = link_receive_at(blocks[i], &blocks[i]->header, 0);
        if (link_receive_state(atomic_load(&receive->word)) == LINK_RECEIVE_POSTED) {
            receive->opcode = DOCA_RDMA_OPCODE_RECV_SEND;
            receive->len = len;
            receive->failure = LINK_RECEIVE_WHOLE;
            atomic_store(&receive->word, link_receive_word(0, LINK_RECEIVE_DONE, 0));
            num_forged++;
        }
    }
    CHECK_EQUAL(1, num_forged);
    unmap_links();
}

static void
a_message_is_not_longer_than_its_receive(void) {
    static const struct {
        uint64_t len;
        doca_error_t expected;
    } cases[] = {{100, DOCA_SUCCESS}, {101, DOCA_ERROR_IO_FAILED}, {UINT64_MAX, DOCA_ERROR_IO_FAILED}};
    struct doca_buf *dst = target(4096, 100);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct side a = create_running_side();
        struct side b = create_running_side();
        connect_sides(&a, &b);
        CHECK_SUCCESS(doca_buf_reset_data_len(dst));
        CHECK_SUCCESS(doca_task_submit(make_receive(&b, dst, 1)));
        forge_message(cases[i].len);
        progress_until(1);
        check_event(1, cases[i].expected);
        if (cases[i].expected == DOCA_SUCCESS) {
            CHECK_EQUAL(cases[i].len, data_len_of(dst));
        } else {
            CHECK_EQUAL(0, data_len_of(dst));
            check_logged("the message was too long, or its sender has failed");
        }
        forget_events();
        destroy_side(&a);
        destroy_side(&b);
    }
    give_back(dst);
}

int
main(void) {
    keep_errors();
    count_warnings();
    open_fixture();
    a_message_is_not_longer_than_its_receive();
    a_late_peer_does_not_begin_an_operation();
    a_late_peer_does_not_end_the_operations_of_another();
    a_stopping_context_returns_receives_after_the_peer_has_finished();
    a_context_without_tasks_is_idle_after_the_peer_has_finished();
    a_disconnected_slot_is_reused_after_the_peer_has_finished(true);
    a_disconnected_slot_is_reused_after_the_peer_has_finished(false);
    a_child_does_not_wait_for_the_peer();
    close_fixture();
    check_nothing_logged();
    return check_result();
}
