/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "peer.h"

#define THEME "sync events"

static struct doca_sync_event *event;

static struct doca_sync_event *
create_event(void) {
    open_device();
    REQUIRE(doca_sync_event_create(&event));
    return event;
}

/* An event of the CPU, not started. */
static struct doca_sync_event *
configure_event(void) {
    create_event();
    REQUIRE(doca_sync_event_add_publisher_location_cpu(event, dev));
    REQUIRE(doca_sync_event_add_subscriber_location_cpu(event, dev));
    return event;
}

static struct doca_sync_event *
start_event(void) {
    configure_event();
    REQUIRE(doca_sync_event_start(event));
    return event;
}

static unsigned long long
value(void) {
    uint64_t value = 0;
    REQUIRE(doca_sync_event_get(event, &value));
    return value;
}

RULE(event_create_null, "Creating an event needs a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    CODE(doca_sync_event_create(NULL));
}

RULE(event_start_without_locations, "An event needs a publisher and a subscriber to start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, BAD_STATE") {
    CODE(doca_sync_event_start(create_event()));
    create_event();
    REQUIRE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(doca_sync_event_start(event));
}

RULE(event_location_null, "A CPU location needs a device.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    create_event();
    CODE(doca_sync_event_add_publisher_location_cpu(event, NULL));
    CODE(doca_sync_event_add_subscriber_location_cpu(event, NULL));
}

RULE(event_life, "An event can be created, given its locations, started, stopped and destroyed.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS") {
    create_event();
    CODE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CODE(doca_sync_event_start(event));
    CODE(doca_sync_event_stop(event));
    CODE(doca_sync_event_destroy(event));
}

RULE(event_value_at_start, "The value of a started event is 0.", .source = OBSERVED_2_5, .answer = "0") {
    start_event();
    answer("%llu", value());
}

RULE(event_set, "A set replaces the value.", .source = OBSERVED_2_5, .answer = "SUCCESS, 5, SUCCESS, 3") {
    start_event();
    CODE(doca_sync_event_update_set(event, 5));
    answer("%llu", value());
    CODE(doca_sync_event_update_set(event, 3));
    answer("%llu", value());
}

RULE(event_add, "An add returns the previous value.", .source = OBSERVED_2_5, .answer = "SUCCESS, 5, 8") {
    start_event();
    uint64_t fetched = 99;
    REQUIRE(doca_sync_event_update_set(event, 5));
    CODE(doca_sync_event_update_add(event, 3, &fetched));
    answer_number((long long)fetched);
    answer("%llu", value());
}

RULE(event_add_without_result, "An add needs a pointer for the previous value.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, 5") {
    start_event();
    REQUIRE(doca_sync_event_update_set(event, 5));
    CODE(doca_sync_event_update_add(event, 3, NULL));
    answer("%llu", value());
}

RULE(event_get_null, "A get needs a pointer for the value.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_sync_event_get(start_event(), NULL));
}

RULE(event_wait_gt_fulfilled, "A wait for a greater value ends at once if the value is already greater.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS") {
    start_event();
    REQUIRE(doca_sync_event_update_set(event, 5));
    CODE(doca_sync_event_wait_gt(event, 4, UINT64_MAX));
    CODE(doca_sync_event_wait_gt_yield(event, 4, UINT64_MAX));
}

RULE(event_wait_eq_fulfilled, "Waits for equality and for inequality end at once if they are fulfilled.",
     .source = OBSERVED_3_0, .since = 210, .answer = "SUCCESS, SUCCESS") {
    start_event();
    REQUIRE(doca_sync_event_update_set(event, 5));
    CODE(doca_sync_event_wait_eq(event, 5, UINT64_MAX));
    CODE(doca_sync_event_wait_neq(event, 4, UINT64_MAX));
}

RULE(event_wait_masked, "Only the bits of the mask are compared.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    start_event();
    REQUIRE(doca_sync_event_update_set(event, 0x105));
    CODE(doca_sync_event_wait_gt(event, 0x4, 0xff));
}

RULE(event_own_memory, "The value can lie in memory of the program.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, 7") {
    static uint64_t cell __attribute__((aligned(64)));
    configure_event();
    CODE(doca_sync_event_set_addr(event, &cell));
    CODE(doca_sync_event_start(event));
    REQUIRE(doca_sync_event_update_set(event, 7));
    answer_number((long long)cell);
}

RULE(event_configure_started, "A started event cannot be configured.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, BAD_STATE") {
    static uint64_t cell __attribute__((aligned(64)));
    start_event();
    CODE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(doca_sync_event_set_addr(event, &cell));
}

RULE(event_start_twice, "A started event cannot be started.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    CODE(doca_sync_event_start(start_event()));
}

RULE(event_destroy_started, "A started event can be destroyed.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    CODE(doca_sync_event_destroy(start_event()));
}

RULE(event_stop_idle, "Stopping an event that is not started succeeds. 2.5 refuses it.", .source = OBSERVED_3_0,
     .answer = "SUCCESS", .answer_2_5 = "BAD_STATE") {
    struct doca_sync_event *event;
    REQUIRE(doca_sync_event_create(&event));
    CODE(doca_sync_event_stop(event));
}

RULE(event_as_ctx_when_started, "An event that is started for calls is not a context.", .source = OBSERVED_2_5,
     .answer = "none") {
    answer("%s", doca_sync_event_as_ctx(start_event()) == NULL ? "none" : "some");
}

RULE(event_export_without_location,
     "An event without a location on the other side of the bus cannot be exported to it.", .source = OBSERVED_2_2,
     .since = 207, .answer = "NOT_PERMITTED") {
    start_event();
    if (doca_sync_event_cap_is_export_to_remote_pci_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device does not export events");
    }
    const uint8_t *bytes;
    size_t len;
    CODE(doca_sync_event_export_to_remote_pci(event, dev, &bytes, &len));
}

RULE(event_import_garbage, "Data that is not an event descriptor is refused when the event is started.",
     .source = OBSERVED_3_0, .since = 207, .answer = "SUCCESS, INVALID_VALUE, SUCCESS") {
    if (doca_sync_event_cap_is_create_from_export_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device does not import events");
    }
    struct doca_sync_event *imported;
    CODE(doca_sync_event_create_from_export(dev, (const uint8_t *)"garbage", 7, &imported));
    CODE(doca_sync_event_start(imported));
    CODE(doca_sync_event_destroy(imported));
}

RULE(event_export_net_without_location, "An event without a remote publisher cannot be exported to remote peers.",
     .source = OBSERVED_2_5, .answer = "NOT_PERMITTED") {
    start_event();
    if (doca_sync_event_cap_is_export_to_remote_net_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device does not export events to remote peers");
    }
    const uint8_t *bytes;
    size_t len;
    CODE(doca_sync_event_export_to_remote_net(event, &bytes, &len));
}

RULE(event_export_net, "An event with a remote publisher can be exported to remote peers.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, yes") {
    create_event();
    if (doca_sync_event_cap_is_export_to_remote_net_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device does not export events to remote peers");
    }
    const uint8_t *bytes;
    size_t len = 0;
    REQUIRE(doca_sync_event_add_publisher_location_remote_net(event));
    REQUIRE(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE(doca_sync_event_start(event));
    CODE(doca_sync_event_export_to_remote_net(event, &bytes, &len));
    answer_flag(len > 0 && len <= 512);
}

RULE(event_export_net_replaced, "The last publisher determines whether an event can be exported to remote peers.",
     .source = OBSERVED_3_0, .answer = "NOT_PERMITTED") {
    create_event();
    if (doca_sync_event_cap_is_export_to_remote_net_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device does not export events to remote peers");
    }
    const uint8_t *bytes;
    size_t len = 0;
    REQUIRE(doca_sync_event_add_publisher_location_remote_net(event));
    REQUIRE(doca_sync_event_add_publisher_location_cpu(event, dev));
    REQUIRE(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE(doca_sync_event_start(event));
    CODE(doca_sync_event_export_to_remote_net(event, &bytes, &len));
}

/* Calls doca_sync_event_add_subscriber_location_remote_pci(), which release 2.5 names otherwise. */
static doca_error_t
add_subscriber_across_pci(void) {
    doca_error_t (*add)(struct doca_sync_event *);
    void *address = sdk_address("common", "doca_sync_event_add_subscriber_location_remote_pci");
    if (address == NULL) {
        address = sdk_address("common", "doca_sync_event_add_subscriber_location_dpu");
    }
    memcpy(&add, &address, sizeof(add));
    return add(event);
}

RULE(event_both_remote, "The publishers and the subscribers of an event cannot both be remote.", .source = OBSERVED_3_0,
     .answer = "NOT_PERMITTED, SUCCESS, NOT_PERMITTED, SUCCESS") {
    create_event();
    REQUIRE(doca_sync_event_add_publisher_location_remote_net(event));
    CODE(add_subscriber_across_pci());
    REQUIRE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(add_subscriber_across_pci());
    CODE(doca_sync_event_add_publisher_location_remote_net(event));
    CODE(doca_sync_event_add_publisher_location_cpu(event, dev));
}

RULE(event_start_again, "A stopped event can neither be started nor configured again, and does not become a context.",
     .source = OBSERVED_3_0, .answer = "BAD_STATE, BAD_STATE, BAD_STATE, none, SUCCESS") {
    static uint64_t cell __attribute__((aligned(64)));
    start_event();
    REQUIRE(doca_sync_event_stop(event));
    CODE(doca_sync_event_start(event));
    CODE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(doca_sync_event_set_addr(event, &cell));
    answer("%s", doca_sync_event_as_ctx(event) == NULL ? "none" : "some");
    CODE(doca_sync_event_destroy(event));
}

static struct doca_dev *
open_other_device(void) {
    struct doca_devinfo **list;
    struct doca_dev *other = NULL;
    uint32_t num_devices = 0;
    REQUIRE(doca_devinfo_create_list(&list, &num_devices));
    for (uint32_t i = 0; i < num_devices && (other == NULL || other == dev); i++) {
        REQUIRE(doca_dev_open(list[i], &other));
    }
    REQUIRE(doca_devinfo_destroy_list(list));
    if (other == NULL || other == dev) {
        not_available("there is no other device");
    }
    return other;
}

RULE(event_location_again, "The last device of a CPU location replaces the one before.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, SUCCESS") {
    configure_event();
    CODE(doca_sync_event_add_publisher_location_cpu(event, open_other_device()));
    CODE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(doca_sync_event_start(event));
}

RULE(event_arguments_before_state, "A missing argument is noticed before the state of the event.", .source = OBSERVED_3_0,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    start_event();
    CODE(doca_sync_event_set_addr(event, NULL));
    CODE(doca_sync_event_add_publisher_location_cpu(event, NULL));
}

RULE(event_export_net_before_start, "An event is exported to remote peers after its start; a missing location is noticed before it.",
     .source = OBSERVED_3_0, .answer = "NOT_PERMITTED, BAD_STATE") {
    configure_event();
    if (doca_sync_event_cap_is_export_to_remote_net_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device does not export events to remote peers");
    }
    const uint8_t *bytes;
    size_t len;
    CODE(doca_sync_event_export_to_remote_net(event, &bytes, &len));
    REQUIRE(doca_sync_event_add_publisher_location_remote_net(event));
    CODE(doca_sync_event_export_to_remote_net(event, &bytes, &len));
}

RULE(event_addr_unaligned, "The address of the value may be a multiple of 4, although operations on it then fail.",
     .source = OBSERVED_3_0, .answer = "SUCCESS") {
    static uint64_t cells[2] __attribute__((aligned(64)));
    configure_event();
    CODE(doca_sync_event_set_addr(event, (uint64_t *)(void *)((char *)cells + 4)));
}

/* Tasks. */

static uint64_t fetched_value;

/* Defines both callbacks of a kind of task; they record its end. */
#define DEFINE_NOTES(kind, task_type) \
    static void note_done_##kind(struct task_type *task, union doca_data task_data, union doca_data ctx_data) { \
        (void)ctx_data; \
        note_task(task_type##_as_doca_task(task), task_data.u64, true); \
    } \
    static void note_failed_##kind(struct task_type *task, union doca_data task_data, union doca_data ctx_data) { \
        (void)ctx_data; \
        note_task(task_type##_as_doca_task(task), task_data.u64, false); \
    }

DEFINE_NOTES(get, doca_sync_event_task_get)
DEFINE_NOTES(set, doca_sync_event_task_notify_set)
DEFINE_NOTES(add, doca_sync_event_task_notify_add)
DEFINE_NOTES(wait_gt, doca_sync_event_task_wait_gt)

/* An event with tasks that read and change its value. */
static void
configure_event_tasks(void) {
    create_engine();
    configure_event();
    if (doca_sync_event_cap_task_get_is_supported(devinfo()) != DOCA_SUCCESS
        || doca_sync_event_cap_task_notify_set_is_supported(devinfo()) != DOCA_SUCCESS
        || doca_sync_event_cap_task_notify_add_is_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device has no tasks for events");
    }
    REQUIRE(doca_sync_event_task_get_set_conf(event, note_done_get, note_failed_get, 4));
    REQUIRE(doca_sync_event_task_notify_set_set_conf(event, note_done_set, note_failed_set, 4));
    REQUIRE(doca_sync_event_task_notify_add_set_conf(event, note_done_add, note_failed_add, 4));
}

static struct doca_ctx *
start_configured_ctx(void) {
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    REQUIRE(doca_ctx_set_state_changed_cb(ctx, note_state));
    REQUIRE(doca_pe_connect_ctx(pe, ctx));
    REQUIRE(doca_ctx_start(ctx));
    forget_notes();
    return ctx;
}

/* An event that is a running context, with tasks that read and change its value. */
static struct doca_ctx *
start_event_ctx(void) {
    configure_event_tasks();
    return start_configured_ctx();
}

static struct doca_task *
set_task(uint64_t number, uint64_t new_value) {
    struct doca_sync_event_task_notify_set *task;
    REQUIRE(doca_sync_event_task_notify_set_alloc_init(event, new_value, data_of(number), &task));
    return doca_sync_event_task_notify_set_as_doca_task(task);
}

static struct doca_task *
get_task(uint64_t number) {
    struct doca_sync_event_task_get *task;
    REQUIRE(doca_sync_event_task_get_alloc_init(event, &fetched_value, data_of(number), &task));
    return doca_sync_event_task_get_as_doca_task(task);
}

RULE(event_ctx_start, "An event as a context is RUNNING after its start, and refuses calls.", .source = OBSERVED_2_5,
     .answer = "RUNNING, start NOT_PERMITTED") {
    struct doca_ctx *ctx = start_event_ctx();
    answer("%s", state_of(ctx));
    answer("start %s", code_name(doca_sync_event_start(event)));
}

RULE(event_ctx_calls, "An event that runs as a context also takes calls; with 2.5 they end the process.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, 0, SUCCESS, SUCCESS, 5, SUCCESS",
     .answer_2_5 = "process died: Segmentation fault") {
    (void)start_event_ctx();
    uint64_t got = 99;
    CODE(doca_sync_event_get(event, &got));
    answer_number((long long)got);
    CODE(doca_sync_event_update_set(event, 5));
    CODE(doca_sync_event_update_add(event, 4, &got));
    answer_number((long long)got);
    CODE(doca_sync_event_wait_gt(event, 8, UINT64_MAX));
}

RULE(event_ctx_calls_beside_tasks, "Calls and tasks see one value of an event that runs as a context.",
     .source = OBSERVED_3_0, .since = 207, .answer = "done 1, SUCCESS, 9") {
    (void)start_event_ctx();
    uint64_t got = 99;
    REQUIRE(doca_task_submit(set_task(1, 9)));
    progress_to(1);
    answer_notes();
    CODE(doca_sync_event_get(event, &got));
    answer_number((long long)got);
}

RULE(event_ctx_start_without_locations, "An event needs a publisher and a subscriber to start as a context.",
     .source = OBSERVED_2_5, .answer = "NOT_PERMITTED, NOT_PERMITTED") {
    create_event();
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    create_engine();
    REQUIRE(doca_pe_connect_ctx(pe, ctx));
    CODE(doca_ctx_start(ctx));
    REQUIRE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(doca_ctx_start(ctx));
}

RULE(event_started_in_one_way,
     "An event that is started for calls cannot be started as a context, nor the other way round.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, NOT_PERMITTED, SUCCESS") {
    configure_event();
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    create_engine();
    REQUIRE(doca_pe_connect_ctx(pe, ctx));
    CODE(doca_sync_event_start(event));
    CODE(doca_ctx_start(ctx));
    CODE(doca_sync_event_stop(event));
}

RULE(event_ctx_stop_as_event, "An event that runs as a context cannot be stopped as an event for calls.",
     .source = OBSERVED_2_5, .answer = "NOT_PERMITTED") {
    (void)start_event_ctx();
    CODE(doca_sync_event_stop(event));
}

RULE(event_ctx_start_without_tasks, "An event needs tasks to start as a context. The failed start is its only one.",
     .source = OBSERVED_3_0, .answer = "NO_MEMORY, SUCCESS, BAD_STATE, BAD_STATE, NOT_PERMITTED, NOT_PERMITTED, SUCCESS") {
    configure_event();
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    create_engine();
    REQUIRE(doca_pe_connect_ctx(pe, ctx));
    CODE(doca_ctx_start(ctx));
    CODE(doca_sync_event_task_get_set_conf(event, note_done_get, note_failed_get, 8));
    CODE(doca_ctx_start(ctx));
    CODE(doca_sync_event_add_publisher_location_cpu(event, dev));
    CODE(doca_sync_event_start(event));
    CODE(doca_sync_event_stop(event));
    CODE(doca_sync_event_destroy(event));
}

RULE(event_task_set_get, "Tasks set and get the value.", .source = OBSERVED_3_0, .answer = "done 1, done 2, 9") {
    (void)start_event_ctx();
    REQUIRE(doca_task_submit(set_task(1, 9)));
    progress_to(1);
    REQUIRE(doca_task_submit(get_task(2)));
    progress_to(2);
    answer_notes();
    answer_number((long long)fetched_value);
}

RULE(event_task_add, "A task adds to the value and returns the previous value.", .source = OBSERVED_3_0,
     .answer = "done 1, done 2, 9, done 3, 12") {
    (void)start_event_ctx();
    struct doca_sync_event_task_notify_add *task;
    static uint64_t before = 99;
    REQUIRE(doca_task_submit(set_task(1, 9)));
    progress_to(1);
    REQUIRE(doca_sync_event_task_notify_add_alloc_init(event, 3, &before, data_of(2), &task));
    REQUIRE(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task)));
    progress_to(2);
    answer_notes();
    answer_number((long long)before);
    REQUIRE(doca_task_submit(get_task(3)));
    progress_to(3);
    answer_notes();
    answer_number((long long)fetched_value);
}

RULE(event_task_wait_gt, "A task waits until the value is greater than a number, which it may be already.", .source = HEADER,
     .until = 205, .answer = "done 2, SUCCESS, done 4, 4") {
    configure_event_tasks();
    if (doca_sync_event_cap_task_wait_gt_is_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device has no tasks that wait for events");
    }
    REQUIRE(doca_sync_event_task_wait_gt_set_conf(event, note_done_wait_gt, note_failed_wait_gt, 4));
    (void)start_configured_ctx();
    struct doca_sync_event_task_wait_gt *wait;
    REQUIRE(doca_sync_event_task_wait_gt_alloc_init(event, 4, UINT64_MAX, data_of(1), &wait));
    struct doca_task *task = doca_sync_event_task_wait_gt_as_doca_task(wait);
    REQUIRE(doca_task_submit(task));
    REQUIRE(doca_task_submit(set_task(2, 4)));
    progress_to(1);
    answer_notes();
    /* The order in which this task and the wait end is not defined. */
    REQUIRE(doca_task_submit(set_task(3, 5)));
    progress_to(3);
    CODE(doca_task_get_status(task));
    forget_notes();
    struct doca_sync_event_task_wait_gt *fulfilled;
    REQUIRE(doca_sync_event_task_wait_gt_alloc_init(event, 4, UINT64_MAX, data_of(4), &fulfilled));
    REQUIRE(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(fulfilled)));
    progress_to(1);
    answer_notes();
    answer_number((long long)doca_sync_event_task_wait_gt_get_wait_val(fulfilled));
}

RULE(event_task_operands, "The operands of a task can be set anew for each submission.", .source = OBSERVED_3_0,
     .answer = "60 done, 20 right") {
    (void)start_event_ctx();
    struct doca_sync_event_task_notify_add *add;
    static uint64_t before[20];
    static uint64_t after[20];
    struct doca_task *set = set_task(1, 0);
    REQUIRE(doca_sync_event_task_notify_add_alloc_init(event, 0, &before[0], data_of(2), &add));
    struct doca_task *get = get_task(3);
    unsigned right = 0;
    for (uint64_t round = 0; round < 20; round++) {
        doca_sync_event_task_notify_set_set_set_val((struct doca_sync_event_task_notify_set *)set, 100 * round);
        REQUIRE(doca_task_submit(set));
        progress_to(3 * round + 1);
        doca_sync_event_task_notify_add_set_inc_val(add, round);
        doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &before[round]);
        REQUIRE(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)));
        progress_to(3 * round + 2);
        doca_sync_event_task_get_set_ret_val_ptr((struct doca_sync_event_task_get *)get, &after[round]);
        REQUIRE(doca_task_submit(get));
        progress_to(3 * round + 3);
        right += before[round] == 100 * round && after[round] == 101 * round;
    }
    answer("%zu done", num_completions);
    answer("%u right", right);
}

RULE(event_ctx_stop, "The context of an event stops like others: it is STOPPING while a task is not freed.",
     .source = OBSERVED_2_5, .answer = "IN_PROGRESS, STOPPING, to STOPPING, to IDLE") {
    struct doca_ctx *ctx = start_event_ctx();
    struct doca_task *task = set_task(1, 9);
    CODE(doca_ctx_stop(ctx));
    answer("%s", state_of(ctx));
    doca_task_free(task);
    progress_to_state(ctx, DOCA_CTX_STATE_IDLE);
    answer_notes();
}

RULE(event_ctx_stop_in_flight, "A stop with tasks in flight fails them, and the context keeps running.",
     .source = OBSERVED_2_5, .until = 205,
     .answer = "IN_USE, RUNNING, failed 1 IO_FAILED, RUNNING, IN_PROGRESS, STOPPING, to STOPPING, to IDLE") {
    struct doca_ctx *ctx = start_event_ctx();
    struct doca_task *task = set_task(1, 9);
    REQUIRE(doca_task_submit(task));
    CODE(doca_ctx_stop(ctx));
    answer("%s", state_of(ctx));
    progress_to(1);
    answer_notes();
    answer("%s", state_of(ctx));
    CODE(doca_ctx_stop(ctx));
    answer("%s", state_of(ctx));
    doca_task_free(task);
    progress_to_state(ctx, DOCA_CTX_STATE_IDLE);
    answer_notes();
}

RULE(event_ctx_stop_in_flight_twice,
     "After a stop with tasks in flight all tasks fail, and the context stops when none is left.",
     .source = OBSERVED_2_5, .until = 205,
     .answer = "IN_USE, BAD_STATE, SUCCESS, BAD_STATE, failed 1 IO_FAILED, failed 2 IO_FAILED, SUCCESS, "
               "failed 2 IO_FAILED, SUCCESS, IDLE") {
    struct doca_ctx *ctx = start_event_ctx();
    struct doca_task *first = set_task(1, 9);
    struct doca_task *second = set_task(2, 7);
    REQUIRE(doca_task_submit(first));
    CODE(doca_ctx_stop(ctx));
    CODE(doca_ctx_stop(ctx));
    CODE(doca_task_submit(second));
    CODE(doca_ctx_stop(ctx));
    progress_to(2);
    answer_notes();
    CODE(doca_task_submit(second));
    progress_to(3);
    answer_notes();
    doca_task_free(first);
    doca_task_free(second);
    CODE(doca_ctx_stop(ctx));
    answer("%s", state_of(ctx));
}

static bool failed;

static void
note_failure(struct doca_sync_event_task_notify_set *task, union doca_data task_data, union doca_data ctx_data) {
    failed = true;
    note_failed_set(task, task_data, ctx_data);
}

RULE(event_ctx_stop_fails, "A stop with tasks in flight fails them, with SUCCESS as the status of those that were executed.",
     .source = OBSERVED_3_0, .since = 207, .answer = "IN_PROGRESS, failed, IO_FAILED or SUCCESS, STOPPING, IDLE") {
    configure_event_tasks();
    REQUIRE(doca_sync_event_task_notify_set_set_conf(event, note_done_set, note_failure, 4));
    struct doca_ctx *ctx = start_configured_ctx();
    struct doca_task *task = set_task(1, 9);
    REQUIRE(doca_task_submit(task));
    CODE(doca_ctx_stop(ctx));
    progress_to(1);
    const doca_error_t status = doca_task_get_status(task);
    answer("%s", failed ? "failed" : "done");
    answer("%s", status == DOCA_SUCCESS || status == DOCA_ERROR_IO_FAILED ? "IO_FAILED or SUCCESS" : code_name(status));
    answer("%s", state_of(ctx));
    doca_task_free(task);
    progress_to_state(ctx, DOCA_CTX_STATE_IDLE);
    answer("%s", state_of(ctx));
}

RULE(event_ctx_start_again, "The context of an event cannot be started again, nor configured.", .source = OBSERVED_3_0,
     .answer = "IDLE, BAD_STATE, IDLE, BAD_STATE") {
    struct doca_ctx *ctx = start_event_ctx();
    REQUIRE(doca_ctx_stop(ctx));
    answer("%s", state_of(ctx));
    CODE(doca_ctx_start(ctx));
    answer("%s", state_of(ctx));
    CODE(doca_sync_event_add_publisher_location_cpu(event, dev));
}

RULE(event_ctx_destroy_running, "An event that runs as a context can be destroyed.", .source = OBSERVED_3_0,
     .answer = "SUCCESS") {
    (void)start_event_ctx();
    CODE(doca_sync_event_destroy(event));
}

RULE(event_alloc_stopping, "Tasks are allocated while the context is stopping, too.", .source = OBSERVED_3_0,
     .answer = "IN_PROGRESS, SUCCESS, BAD_STATE") {
    struct doca_ctx *ctx = start_event_ctx();
    struct doca_sync_event_task_notify_set *task;
    (void)set_task(1, 9);
    CODE(doca_ctx_stop(ctx));
    CODE(doca_sync_event_task_notify_set_alloc_init(event, 1, data_of(2), &task));
    CODE(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(task)));
}

RULE(event_alloc_stopped, "There are no tasks after the stop. 2.5 ends the process.", .source = OBSERVED_3_0, .since = 207,
     .answer = "NO_MEMORY") {
    struct doca_ctx *ctx = start_event_ctx();
    struct doca_sync_event_task_notify_set *task;
    REQUIRE(doca_ctx_stop(ctx));
    CODE(doca_sync_event_task_notify_set_alloc_init(event, 1, data_of(1), &task));
}

RULE(event_conf_running, "Tasks can be configured only while the context is idle, also if the event is started for calls.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, NOT_PERMITTED") {
    start_event();
    CODE(doca_sync_event_task_get_set_conf(event, note_done_get, note_failed_get, 8));
    (void)start_event_ctx();
    CODE(doca_sync_event_task_get_set_conf(event, note_done_get, note_failed_get, 8));
}

RULE(event_pool, "There are as many tasks as configured.", .source = OBSERVED_2_5, .answer = "NO_MEMORY") {
    (void)start_event_ctx();
    for (uint64_t number = 0; number < 4; number++) {
        (void)set_task(number, 1);
    }
    struct doca_sync_event_task_notify_set *task;
    CODE(doca_sync_event_task_notify_set_alloc_init(event, 1, data_of(5), &task));
}

/* An event of another process, on the other side of the bus. */

struct event_offer {
    size_t len;
    uint8_t bytes[1024];
};

static void
export_event(void) {
    struct event_offer offer = {0};
    const uint8_t *bytes;
    open_device();
    REQUIRE(doca_sync_event_create(&event));
    REQUIRE(doca_sync_event_add_publisher_location_remote_pci(event));
    REQUIRE(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE(doca_sync_event_start(event));
    REQUIRE(doca_sync_event_export_to_remote_pci(event, dev, &bytes, &offer.len));
    if (offer.len <= sizeof(offer.bytes)) {
        memcpy(offer.bytes, bytes, offer.len);
        send_to_peer(&offer, sizeof(offer));
        /* Answers a request with the value, once the value is more than 4. */
        await_peer();
        REQUIRE(doca_sync_event_wait_gt(event, 4, UINT64_MAX));
        const uint64_t current = value();
        send_to_peer(&current, sizeof(current));
    }
}

static void
import_event(void) {
    struct event_offer offer;
    if (doca_sync_event_cap_is_create_from_export_supported(devinfo()) != DOCA_SUCCESS || !is_emulator()) {
        not_available("the exporting process has to run on the other side of the bus");
    }
    (void)receive_from_peer(&offer, sizeof(offer));
    REQUIRE(doca_sync_event_create_from_export(dev, offer.bytes, offer.len, &event));
    REQUIRE(doca_sync_event_start(event));
}

RULE(event_import_set, "A set by an importer is visible to the process that owns the event.", .source = SAMPLE,
     .since = 207, .peer = export_event, .peer_is_host = true, .answer = "SUCCESS, 9") {
    uint64_t theirs = 0;
    import_event();
    signal_peer();
    CODE(doca_sync_event_update_set(event, 9));
    (void)receive_from_peer(&theirs, sizeof(theirs));
    answer_number((long long)theirs);
}

RULE(event_import_add, "An add by an importer returns the previous value.", .source = SAMPLE, .since = 207,
     .peer = export_event, .peer_is_host = true, .answer = "SUCCESS, 0, SUCCESS, 3, 6") {
    uint64_t fetched = 99;
    import_event();
    CODE(doca_sync_event_update_add(event, 3, &fetched));
    answer_number((long long)fetched);
    CODE(doca_sync_event_update_add(event, 3, &fetched));
    answer_number((long long)fetched);
    answer("%llu", value());
}

RULE(event_import_configure, "An imported event cannot be configured.", .source = HEADER, .since = 207,
     .peer = export_event, .peer_is_host = true, .answer = "accepted no") {
    import_event();
    const doca_error_t result = doca_sync_event_add_publisher_location_cpu(event, dev);
    answer("accepted %s", result == DOCA_SUCCESS ? "yes" : "no");
}
