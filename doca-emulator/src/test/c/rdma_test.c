/* SPDX-License-Identifier: Apache-2.0 */
/* All tasks of RDMA contexts, both sides in one process. */
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

static void
a_message_is_sent_to_the_receive_of_the_peer(void) {
    begin();
    fill(0, 1000, 7);
    struct doca_buf *src = source(0, 1000);
    struct doca_buf *dst = target(4096, 2000);
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, dst, 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, src, 2)));
    progress_until(2);
    check_event(2, DOCA_SUCCESS);
    check_received(1, DOCA_RDMA_OPCODE_RECV_SEND, 1000, 0, b.connections[0]);
    check_filled(memory + 4096, 1000, 7);
    CHECK_EQUAL(1000, data_len_of(dst));
    forget_events();
    give_back(src);
    give_back(dst);
    end();
}

static void
memory_of_the_peer_is_read_and_written(void) {
    begin();
    struct shared shared = share(memory + 8192, 4096, ALL_PERMISSIONS);
    fill(0, 500, 9);
    struct doca_buf *src = source(0, 500);
    struct doca_buf *remote = space_of(shared.imported, memory + 8192 + 100, 1000);
    struct doca_buf *dst = target(1024, 500);
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, src, remote, 1)));
    progress_until(1);
    check_event(1, DOCA_SUCCESS);
    check_filled(memory + 8192 + 100, 500, 9);
    CHECK_SUCCESS(doca_buf_set_data(remote, memory + 8192 + 100, 400));
    CHECK_SUCCESS(doca_task_submit(make_read(&a, 0, remote, dst, 2)));
    progress_until(2);
    check_event(2, DOCA_SUCCESS);
    CHECK_EQUAL(400, doca_rdma_task_read_get_result_len((struct doca_rdma_task_read *)events[1].task));
    CHECK_EQUAL(400, data_len_of(dst));
    check_filled(memory + 1024, 400, 9);
    forget_events();
    give_back(src);
    give_back(remote);
    give_back(dst);
    end_share(&shared);
    end();
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    a_message_is_sent_to_the_receive_of_the_peer();
    memory_of_the_peer_is_read_and_written();
    check_nothing_logged();
    close_fixture();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run_all);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", run_all);
    return check_result();
}
