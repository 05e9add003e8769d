/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA tasks on sync events of peers.
 */
#include <doca_sync_event.h>

#include "peer.h"
#include "rdma_fixture.h"

#define NUM_ADDERS 3
#define NUM_ADDS 2000
#define RESPONDER_PERMISSIONS (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)

static struct doca_sync_event *event;
static struct doca_sync_event_remote_net *remote;
static const uint8_t *descriptor;
static size_t descriptor_size;

static void
start_event(uint64_t *addr) {
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_remote_net(event));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    if (addr != NULL) {
        REQUIRE_SUCCESS(doca_sync_event_set_addr(event, addr));
    }
    REQUIRE_SUCCESS(doca_sync_event_start(event));
    REQUIRE_SUCCESS(doca_sync_event_export_to_remote_net(event, &descriptor, &descriptor_size));
}

static void
import_event(void) {
    REQUIRE_SUCCESS(doca_sync_event_remote_net_create_from_export(dev, descriptor, descriptor_size, &remote));
}

static void
end_event(void) {
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static uint64_t
value_of_event(void) {
    uint64_t value = 0;
    CHECK_SUCCESS(doca_sync_event_get(event, &value));
    return value;
}

static void
configure_event_tasks(struct side *side) {
    REQUIRE_SUCCESS(CONFIGURE(side->rdma, remote_net_sync_event_get, NUM_TASKS));
    REQUIRE_SUCCESS(CONFIGURE(side->rdma, remote_net_sync_event_notify_add, NUM_TASKS));
    REQUIRE_SUCCESS(CONFIGURE(side->rdma, remote_net_sync_event_notify_set, NUM_TASKS));
}

static struct doca_task *
make_event_get(const struct side *side, struct doca_buf *dst, uint64_t number) {
    MAKE(remote_net_sync_event_get, task, side->rdma, side->connections[0], remote, dst, numbered(number));
}

static struct doca_task *
make_event_set(const struct side *side, const struct doca_buf *src, uint64_t number) {
    MAKE(remote_net_sync_event_notify_set, task, side->rdma, side->connections[0], remote, src, numbered(number));
}

static struct doca_task *
make_event_add(const struct side *side, struct doca_buf *result, uint64_t value, uint64_t number) {
    MAKE(remote_net_sync_event_notify_add, task, side->rdma, side->connections[0], remote, result, value,
         numbered(number));
}

/* Two connected contexts: the first has the tasks, the second the permissions. */
static struct side requester;
static struct side responder;

static void
start_sides(uint32_t permissions) {
    requester = create_side();
    configure_event_tasks(&requester);
    responder = create_side();
    REQUIRE_SUCCESS(doca_rdma_set_permissions(responder.rdma, permissions));
    start_side(&requester);
    start_side(&responder);
    connect_sides(&requester, &responder);
}

static void
destroy_sides(void) {
    destroy_side(&requester);
    destroy_side(&responder);
}

static uint64_t
number_at(size_t offset) {
    uint64_t number;
    memcpy(&number, memory + offset, sizeof(number));
    return number;
}

static void
put_number(size_t offset, uint64_t number) {
    memcpy(memory + offset, &number, sizeof(number));
}

/*
 * Tasks
 */

static void
check_tasks(uint64_t *addr) {
    start_event(addr);
    import_event();
    start_sides(ALL_PERMISSIONS);
    struct doca_buf *src = source(0, 8);
    struct doca_buf *dst = target(64, 8);
    struct doca_buf *result = target(128, 64);
    put_number(0, 40);
    REQUIRE_SUCCESS(doca_task_submit(make_event_set(&requester, src, 1)));
    REQUIRE_SUCCESS(doca_task_submit(make_event_add(&requester, result, 2, 2)));
    struct doca_task *get = make_event_get(&requester, dst, 3);
    REQUIRE_SUCCESS(doca_task_submit(get));
    CHECK_REFUSED(DOCA_ERROR_IN_USE, "tasks are in flight", doca_sync_event_remote_net_destroy(remote));
    progress_until(3);
    check_event(1, DOCA_SUCCESS);
    check_event(2, DOCA_SUCCESS);
    check_event(3, DOCA_SUCCESS);
    CHECK_EQUAL(42, value_of_event());
    CHECK_EQUAL(40, number_at(128));
    CHECK_EQUAL(8, data_len_of(result));
    CHECK_EQUAL(42, number_at(64));
    CHECK_EQUAL(8, data_len_of(dst));
    CHECK_EQUAL(8, doca_rdma_task_remote_net_sync_event_get_get_result_len(
                           (struct doca_rdma_task_remote_net_sync_event_get *)get));
    forget_events();
    /* The next addition appends its result, and a get fills whatever room there is. */
    struct doca_buf *part = target(256, 4);
    REQUIRE_SUCCESS(doca_task_submit(make_event_add(&requester, result, 2, 4)));
    REQUIRE_SUCCESS(doca_task_submit(make_event_get(&requester, part, 5)));
    progress_until(2);
    check_event(4, DOCA_SUCCESS);
    check_event(5, DOCA_SUCCESS);
    CHECK_EQUAL(40, number_at(128));
    CHECK_EQUAL(42, number_at(136));
    CHECK_EQUAL(16, data_len_of(result));
    CHECK_EQUAL(4, data_len_of(part));
    CHECK_EQUAL(44, memory[256]);
    forget_events();
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    GIVE_BACK(src, dst, result, part);
    destroy_sides();
    end_event();
    check_nothing_logged();
}

static void
test_tasks(void) {
    uint64_t word = 0;
    check_tasks(NULL);
    check_tasks(&word);
    CHECK_EQUAL(44, word);
}

static void
test_properties(void) {
    struct doca_sync_event_remote_net *other;
    start_event(NULL);
    import_event();
    REQUIRE_SUCCESS(doca_sync_event_remote_net_create_from_export(dev, descriptor, descriptor_size, &other));
    start_sides(ALL_PERMISSIONS);
    struct doca_buf *a = target(0, 8);
    struct doca_buf *b = target(8, 8);
    struct doca_rdma_task_remote_net_sync_event_get *get =
            (struct doca_rdma_task_remote_net_sync_event_get *)make_event_get(&requester, a, 1);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_get, sync_event, get, remote, other);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_get, dst_buf, get, a, b);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_get, rdma_connection, get, requester.connections[0], NULL);
    struct doca_rdma_task_remote_net_sync_event_notify_add *add =
            (struct doca_rdma_task_remote_net_sync_event_notify_add *)make_event_add(&requester, a, 3, 2);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_notify_add, sync_event, add, remote, other);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_notify_add, result_buf, add, a, b);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_notify_add, add_data, add, 3, 4);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_notify_add, rdma_connection, add, requester.connections[0], NULL);
    struct doca_rdma_task_remote_net_sync_event_notify_set *set =
            (struct doca_rdma_task_remote_net_sync_event_notify_set *)make_event_set(&requester, a, 3);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_notify_set, sync_event, set, remote, other);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_notify_set, src_buf, set, a, b);
    CHECK_FIELD(doca_rdma_task_remote_net_sync_event_notify_set, rdma_connection, set, requester.connections[0], NULL);
    doca_task_free(doca_rdma_task_remote_net_sync_event_get_as_task(get));
    doca_task_free(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add));
    doca_task_free(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set));
    GIVE_BACK(a, b);
    destroy_sides();
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(other));
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    end_event();
}

/* Failures */

/* Checks that the task ends with IO_FAILED for that reason. */
static void
check_failure(struct doca_task *task, const char *reason) {
    REQUIRE_SUCCESS(doca_task_submit(task));
    progress_until(1);
    check_event(1, DOCA_ERROR_IO_FAILED);
    check_logged(reason);
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(&requester));
    stop_side(&requester);
}

static void
check_permission(uint32_t permissions, bool adds) {
    start_sides(permissions);
    struct doca_buf *buf = adds ? target(0, 8) : source(0, 8);
    check_failure(adds ? make_event_add(&requester, buf, 1, 1) : make_event_set(&requester, buf, 1),
                  "the peer's context does not permit it");
    give_back(buf);
    destroy_sides();
}

static void
test_permissions(void) {
    start_event(NULL);
    import_event();
    check_permission(RESPONDER_PERMISSIONS, true);
    check_permission(DOCA_ACCESS_FLAG_RDMA_READ, false);
    start_sides(DOCA_ACCESS_FLAG_RDMA_WRITE);
    struct doca_buf *dst = target(0, 8);
    check_failure(make_event_get(&requester, dst, 1), "the peer's context does not permit it");
    CHECK_EQUAL(0, data_len_of(dst));
    give_back(dst);
    destroy_sides();
    CHECK_EQUAL(0, value_of_event());
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    end_event();
}

static void
check_buffer(struct doca_task *task, const char *reason) {
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(task));
    check_logged(reason);
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(&requester));
    doca_task_free(task);
}

static void
test_buffers(void) {
    start_event(NULL);
    import_event();
    start_sides(ALL_PERMISSIONS);
    struct doca_buf *small = target(0, 7);
    struct doca_buf *data = source(64, 9);
    check_buffer(make_event_get(&requester, small, 1), "no room for 8 bytes after its data");
    check_buffer(make_event_get(&requester, NULL, 1), "no room for 8 bytes after its data");
    check_buffer(make_event_add(&requester, small, 1, 1), "the buffer for the result has no room for 8 bytes");
    check_buffer(make_event_add(&requester, NULL, 1, 1), "there is no buffer for the result");
    check_buffer(make_event_set(&requester, data, 1), "the source has not 8 bytes");
    check_buffer(make_event_set(&requester, NULL, 1), "the source has not 8 bytes");
    GIVE_BACK(small, data);
    destroy_sides();
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    end_event();
}

static void
test_events(void) {
    start_event(NULL);
    import_event();
    start_sides(ALL_PERMISSIONS);
    struct doca_buf *src = source(0, 8);
    struct doca_task *task = make_event_set(&requester, src, 1);
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was destroyed before", doca_task_submit(task));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_remote_net_destroy(remote));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "remote sync event is NULL", doca_sync_event_remote_net_destroy(NULL));
    import_event();
    doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event(
            (struct doca_rdma_task_remote_net_sync_event_notify_set *)task, remote);
    end_event();
    check_failure(task, "the sync event cannot be reached");
    give_back(src);
    destroy_sides();
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
}

/* A context reaches only events that its own device has imported. */
static void
test_device_of_import(void) {
    struct doca_dev *other = open_device("mlx5_1");
    start_event(NULL);
    REQUIRE_SUCCESS(doca_sync_event_remote_net_create_from_export(other, descriptor, descriptor_size, &remote));
    start_sides(ALL_PERMISSIONS);
    struct doca_buf *src = source(0, 8);
    put_number(0, 7);
    check_failure(make_event_set(&requester, src, 1), "the sync event was imported by another device");
    CHECK_EQUAL(0, value_of_event());
    give_back(src);
    destroy_sides();
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    end_event();
    CHECK_SUCCESS(doca_dev_close(other));
}

static void
test_import(void) {
    uint8_t altered[1024];
    struct doca_dpa *dpa = NULL;
    struct doca_sync_event_remote_net *imported = NULL;
    doca_dpa_dev_sync_event_remote_net_t dpa_handle;
    doca_gpu_dev_sync_event_remote_net_t gpu_handle;
    start_event(NULL);
    memcpy(altered, descriptor, descriptor_size);
    altered[20] ^= 1;
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "its checksum is wrong",
                  doca_sync_event_remote_net_create_from_export(dev, altered, descriptor_size, &imported));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_sync_event_remote_net_create_from_export(dev, NULL, descriptor_size, &imported));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_sync_event_remote_net_create_from_export(dev, descriptor, descriptor_size, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_sync_event_remote_net_create_from_export(NULL, descriptor, descriptor_size, &imported));
    CHECK_POINTER(NULL, imported);
    import_event();
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no DPA",
                  doca_sync_event_remote_net_get_dpa_handle(remote, dpa, &dpa_handle));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no GPU",
                  doca_sync_event_remote_net_get_gpu_handle(remote, NULL, &gpu_handle));
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    end_event();
}

/*
 * Other processes, which add to the event of this one
 */

/* The details by which two sides connect, and the event of one of them. */
struct introduction {
    size_t details_size;
    uint8_t details[1024];
    size_t descriptor_size;
    uint8_t descriptor[1024];
};

static void
introduce(const struct side *side, size_t index, struct introduction *introduction) {
    introduction->details_size = side->details_size[index];
    memcpy(introduction->details, side->details[index], side->details_size[index]);
}

static doca_error_t
add(const struct side *side, struct doca_buf *result, uint64_t count) {
    doca_error_t status = DOCA_SUCCESS;
    struct doca_task *task = make_event_add(side, result, 1, 1);
    for (uint64_t i = 0; i < count && status == DOCA_SUCCESS; i++) {
        REQUIRE_SUCCESS(doca_buf_reset_data_len(result));
        REQUIRE_SUCCESS(doca_task_submit(task));
        progress_until(1);
        status = events[0].status;
        num_events = 0;
    }
    doca_task_free(task);
    return status;
}

/* Adds as often as requested. */
static int
run_adder(void) {
    struct introduction owner;
    struct introduction self = {0};
    uint64_t count;
    open_fixture();
    struct side side = create_side();
    configure_event_tasks(&side);
    start_side(&side);
    export_connection(&side, 0);
    introduce(&side, 0, &self);
    write_fully(STDOUT_FILENO, &self, sizeof(self));
    CHECK(read_fully(STDIN_FILENO, &owner, sizeof(owner)));
    REQUIRE_SUCCESS(doca_rdma_connect(side.rdma, owner.details, owner.details_size, side.connections[0]));
    REQUIRE_SUCCESS(doca_sync_event_remote_net_create_from_export(dev, owner.descriptor, owner.descriptor_size,
                                                                  &remote));
    struct doca_buf *result = target(0, 8);
    while (read_fully(STDIN_FILENO, &count, sizeof(count))) {
        const doca_error_t status = add(&side, result, count);
        write_fully(STDOUT_FILENO, &status, sizeof(status));
    }
    give_back(result);
    destroy_side(&side);
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    close_fixture();
    return check_result();
}

static struct peer
start_adder(struct side *side, size_t index) {
    struct introduction self = {.descriptor_size = descriptor_size};
    struct introduction adder;
    struct peer peer = start_peer("adder", "host");
    CHECK(read_fully(peer.replies, &adder, sizeof(adder)));
    export_connection(side, index);
    REQUIRE_SUCCESS(doca_rdma_connect(side->rdma, adder.details, adder.details_size, side->connections[index]));
    introduce(side, index, &self);
    memcpy(self.descriptor, descriptor, descriptor_size);
    write_fully(peer.requests, &self, sizeof(self));
    return peer;
}

static void
begin_to_add(struct peer *peer, uint64_t count) {
    write_fully(peer->requests, &count, sizeof(count));
}

static doca_error_t
result_of(struct peer *peer) {
    doca_error_t result = DOCA_ERROR_UNKNOWN;
    CHECK(read_fully(peer->replies, &result, sizeof(result)));
    return result;
}

static void
check_sum(uint64_t *addr) {
    struct peer adders[NUM_ADDERS];
    uint64_t fetched;
    start_event(addr);
    struct side side = create_running_side();
    for (size_t i = 0; i < NUM_ADDERS; i++) {
        adders[i] = start_adder(&side, i);
    }
    for (size_t i = 0; i < NUM_ADDERS; i++) {
        begin_to_add(&adders[i], NUM_ADDS);
    }
    for (int i = 0; i < NUM_ADDS; i++) {
        CHECK_SUCCESS(doca_sync_event_update_add(event, 1, &fetched));
    }
    CHECK_SUCCESS(doca_sync_event_wait_eq_yield(event, UINT64_C(1) * (NUM_ADDERS + 1) * NUM_ADDS, UINT64_MAX));
    for (size_t i = 0; i < NUM_ADDERS; i++) {
        CHECK_SUCCESS(result_of(&adders[i]));
    }
    CHECK_EQUAL((NUM_ADDERS + 1) * NUM_ADDS, value_of_event());
    /* Operations on an event that has ended fail. */
    CHECK_SUCCESS(doca_sync_event_stop(event));
    begin_to_add(&adders[0], 1);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, result_of(&adders[0]));
    for (size_t i = 0; i < NUM_ADDERS; i++) {
        end_peer(&adders[i]);
    }
    destroy_side(&side);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
test_sums(void) {
    uint64_t word = 0;
    check_sum(NULL);
    check_sum(&word);
    CHECK_EQUAL((NUM_ADDERS + 1) * NUM_ADDS, word);
}

static void
test_all(void) {
    keep_errors();
    open_fixture();
    test_tasks();
    test_properties();
    test_permissions();
    test_buffers();
    test_events();
    test_device_of_import();
    test_import();
    test_sums();
    close_fixture();
}

int
main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "adder") == 0) {
        return run_adder();
    }
    check_with_engines(test_all);
    return check_result();
}
