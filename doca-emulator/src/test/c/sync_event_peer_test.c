/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events across the PCI bus, between processes. This process is on the DPU.
 */
#include "../../main/c/common/event_value_block.h"
#include "sync_event_fixture.h"
#include "sync_event_party.h"

static struct doca_sync_event *
import(const struct event_descriptor *descriptor) {
    struct doca_sync_event *event = NULL;
    REQUIRE_SUCCESS(doca_sync_event_create_from_export(dev, descriptor->bytes, descriptor->size, &event));
    return event;
}

static struct doca_sync_event *
import_and_start(const struct event_descriptor *descriptor) {
    struct doca_sync_event *event = import(descriptor);
    REQUIRE_SUCCESS(doca_sync_event_start(event));
    return event;
}

/*
 * Use
 */

/* The host and the DPU wait for each other. */
static void
check_exchange(bool at_address) {
    uint64_t fetched = 9;
    struct event_descriptor descriptor;
    struct peer host = start_owner("host", at_address, &descriptor);
    struct doca_sync_event *event = import_and_start(&descriptor);
    CHECK_EQUAL(0, get(event));
    begin_to_ask(&host, PARTY_WAIT_EQ_YIELD, 1);
    CHECK_SUCCESS(doca_sync_event_update_add(event, 1, &fetched));
    CHECK_EQUAL(0, fetched);
    CHECK_SUCCESS(hear_reply(&host).result);
    CHECK_EQUAL(1, ask(&host, PARTY_GET, 0).value);
    begin_to_ask(&host, PARTY_SET, UINT64_MAX - 1);
    CHECK_SUCCESS(doca_sync_event_wait_gt(event, 1, ALL));
    CHECK_SUCCESS(hear_reply(&host).result);
    CHECK(get(event) == UINT64_MAX - 1);
    CHECK_SUCCESS(ask(&host, PARTY_ADD, 3).result);
    CHECK_SUCCESS(doca_sync_event_wait_eq_yield(event, 1, ALL));
    CHECK_SUCCESS(doca_sync_event_update_set(event, 77));
    CHECK_EQUAL(77, ask(&host, PARTY_GET, 0).value);
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "has already been started", doca_sync_event_start(event));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    CHECK_EQUAL(77, ask(&host, PARTY_GET, 0).value);
    end_party(&host);
    check_nothing_logged();
}

static void
test_exchange(void) {
    check_exchange(false);
    check_exchange(true);
}

/* The other way round: this process of the DPU exports. */
static void
test_export_to_host(void) {
    struct party self = {0};
    struct event_descriptor descriptor;
    party_create(&self, true);
    REQUIRE_SUCCESS(party_export(&self, &descriptor));
    struct peer host = start_importer("host", &descriptor);
    begin_to_ask(&host, PARTY_WAIT_EQ, 5);
    CHECK_SUCCESS(doca_sync_event_update_set(self.event, 5));
    CHECK_SUCCESS(hear_reply(&host).result);
    CHECK_SUCCESS(ask(&host, PARTY_ADD, 2).result);
    CHECK_EQUAL(7, get(self.event));
    CHECK_EQUAL(7, *self.word);
    end_party(&host);
    CHECK_SUCCESS(party_destroy(&self));
}

#define NUM_ADDS 5000

/* Four processes, including the owner of the memory, add at once, and a fifth one waits for the sum. */
static void
check_sum(bool at_address) {
    struct peer peers[4];
    struct event_descriptor descriptor;
    peers[0] = start_owner("host", at_address, &descriptor);
    for (int i = 1; i < 4; i++) {
        peers[i] = start_importer("dpu", &descriptor);
    }
    struct doca_sync_event *event = import_and_start(&descriptor);
    for (int i = 0; i < 4; i++) {
        begin_to_ask(&peers[i], PARTY_ADD, NUM_ADDS);
    }
    CHECK_SUCCESS(doca_sync_event_wait_eq_yield(event, UINT64_C(4) * NUM_ADDS, ALL));
    for (int i = 0; i < 4; i++) {
        CHECK_SUCCESS(hear_reply(&peers[i]).result);
    }
    CHECK_EQUAL(4 * NUM_ADDS, get(event));
    CHECK_EQUAL(4 * NUM_ADDS, ask(&peers[0], PARTY_GET, 0).value);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    for (int i = 3; i >= 0; i--) {
        end_party(&peers[i]);
    }
}

static void
test_sums(void) {
    check_sum(false);
    check_sum(true);
}

/*
 * The end of the owner
 */

static void
check_death(bool at_address) {
    uint64_t value;
    struct event_descriptor descriptor;
    struct peer host = start_owner("host", at_address, &descriptor);
    struct peer importer = start_importer("dpu", &descriptor);
    struct doca_sync_event *event = import_and_start(&descriptor);
    begin_to_ask(&importer, PARTY_WAIT_EQ, 1);
    kill_peer(&host);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, hear_reply(&importer).result);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, doca_sync_event_wait_eq_yield(event, 1, ALL));
    CHECK(strstr(last_error, "has ended") != NULL);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, doca_sync_event_get(event, &value));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, doca_sync_event_update_set(event, 1));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has ended", doca_sync_event_update_add(event, 1, &value));
    end_party(&importer);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
test_death(void) {
    check_death(false);
    check_death(true);
}

/* A descriptor is read when the event is started. */
static void
check_refused(const struct event_descriptor *descriptor, doca_error_t error, const char *reason) {
    struct doca_sync_event *event;
    CHECK_SUCCESS(doca_sync_event_create_from_export(dev, descriptor->bytes, descriptor->size, &event));
    CHECK_ERROR(error, doca_sync_event_start(event));
    check_logged(reason);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

/* A wait for the last value succeeds, and a wait for another value fails. */
static void
check_stop(bool at_address) {
    uint64_t value;
    struct event_descriptor descriptor;
    struct peer host = start_owner("host", at_address, &descriptor);
    struct peer importer = start_importer("dpu", &descriptor);
    struct doca_sync_event *event = import_and_start(&descriptor);
    begin_to_ask(&importer, PARTY_WAIT_EQ, 1);
    CHECK_SUCCESS(ask(&host, PARTY_SET, 7).result);
    CHECK_SUCCESS(ask(&host, PARTY_STOP, 0).result);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, hear_reply(&importer).result);
    CHECK_SUCCESS(doca_sync_event_wait_eq(event, 7, ALL));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has stopped the sync event", doca_sync_event_wait_neq(event, 7, ALL));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has stopped the sync event", doca_sync_event_get(event, &value));
    CHECK_EQUAL(7, value);
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has stopped the sync event", doca_sync_event_update_set(event, 1));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has stopped the sync event", doca_sync_event_update_add(event, 1, &value));
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    check_refused(&descriptor, DOCA_ERROR_INVALID_VALUE, "has ended");
    end_party(&importer);
    end_party(&host);
}

static void
test_stop(void) {
    check_stop(false);
    check_stop(true);
}

/* The value is unknown, but its end is reported. */
static void
test_freed_memory(void) {
    uint64_t value = 3;
    struct event_descriptor descriptor;
    struct peer host = start_owner("host", true, &descriptor);
    struct doca_sync_event *event = import_and_start(&descriptor);
    CHECK_SUCCESS(ask(&host, PARTY_SET, 7).result);
    CHECK_SUCCESS(ask(&host, PARTY_FREE_MEMORY, 0).result);
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has no memory at", doca_sync_event_get(event, &value));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has no memory at", doca_sync_event_update_set(event, 8));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, ask(&host, PARTY_GET, 0).result);
    CHECK_SUCCESS(ask(&host, PARTY_STOP, 0).result);
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has stopped the sync event", doca_sync_event_wait_eq(event, 7, ALL));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has stopped the sync event", doca_sync_event_get(event, &value));
    CHECK_EQUAL(3, value);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    end_party(&host);
}

/* Refusals */

/* A descriptor for remote peers is none for the other side of the bus. */
static void
check_net_descriptor(void) {
    const uint8_t *bytes;
    struct doca_sync_event *event;
    struct event_descriptor descriptor;
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_remote_net(event));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_start(event));
    REQUIRE_SUCCESS(doca_sync_event_export_to_remote_net(event, &bytes, &descriptor.size));
    memcpy(descriptor.bytes, bytes, descriptor.size);
    check_refused(&descriptor, DOCA_ERROR_INVALID_VALUE, "the descriptor is for remote peers");
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
test_descriptors(void) {
    struct doca_sync_event *event;
    struct event_descriptor descriptor;
    struct peer host = start_owner("host", false, &descriptor);
    CHECK_EQUAL(208, descriptor.size);
    for (size_t i = 0; i < descriptor.size; i++) {
        struct event_descriptor altered = descriptor;
        altered.bytes[i] ^= 0x10;
        check_refused(&altered, DOCA_ERROR_INVALID_VALUE,
                      i < 8 ? "are no sync event of the emulator" : "its checksum is wrong");
    }
    struct event_descriptor truncated = descriptor;
    truncated.size--;
    check_refused(&truncated, DOCA_ERROR_INVALID_VALUE, "has 207 bytes instead of 208");
    check_net_descriptor();
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_create_from_export(dev, NULL, 8, &event));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_create_from_export(dev, descriptor.bytes, 0, &event));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_sync_event_create_from_export(NULL, descriptor.bytes, descriptor.size, &event));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_sync_event_create_from_export(dev, descriptor.bytes, descriptor.size, NULL));
    kill_peer(&host);
    check_refused(&descriptor, DOCA_ERROR_INVALID_VALUE, "has ended");
}

static void
test_sides(void) {
    struct party self = {0};
    struct event_descriptor descriptor;
    party_create(&self, false);
    REQUIRE_SUCCESS(party_export(&self, &descriptor));
    check_refused(&descriptor, DOCA_ERROR_NOT_PERMITTED, "it is of this side of the PCI bus");
    CHECK_SUCCESS(party_destroy(&self));
}

static void
test_import_is_fixed(void) {
    uint64_t word;
    const uint8_t *bytes;
    size_t size;
    struct event_descriptor descriptor;
    struct peer host = start_owner("host", false, &descriptor);
    struct doca_sync_event *event = import(&descriptor);
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "the event is from an export",
                  doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "the event is from an export", doca_sync_event_set_addr(event, &word));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is not started for calls", doca_sync_event_get(event, &word));
    CHECK_SUCCESS(doca_sync_event_start(event));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "the event is from an export",
                  doca_sync_event_export_to_remote_pci(event, dev, &bytes, &size));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    end_party(&host);
}

static void
test_export_is_refused(void) {
    const uint8_t *bytes;
    const uint8_t *again;
    size_t size;
    struct doca_sync_event *event = create_configured(NULL);
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "has no remote PCI location",
                  doca_sync_event_export_to_remote_pci(event, dev, &bytes, &size));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "has no remote net publisher",
                  doca_sync_event_export_to_remote_net(event, &bytes, &size));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_export_to_remote_pci(event, dev, NULL, &size));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "no place for the descriptor",
                  doca_sync_event_export_to_remote_net(event, &bytes, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_export_to_remote_pci(NULL, dev, &bytes, &size));
    CHECK_SUCCESS(doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "Failed to export: is not started",
                  doca_sync_event_export_to_remote_pci(event, dev, &bytes, &size));
    CHECK_SUCCESS(doca_sync_event_start(event));
    CHECK_SUCCESS(doca_sync_event_export_to_remote_pci(event, dev, &bytes, &size));
    CHECK_SUCCESS(doca_sync_event_export_to_remote_pci(event, dev, &again, &size));
    CHECK_POINTER(bytes, again);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

/*
 * A process that is suspended while it changes memory of this process, which must then not be freed
 */

struct suspension {
    struct party self;
    struct peer importer;
    struct event_block *block;
};

/* Returns the file of the exported event, which any process of the user can map. */
static struct event_block *
map_block(const struct event_descriptor *exported) {
    struct event_value_descriptor descriptor;
    memcpy(&descriptor, exported->bytes, sizeof(descriptor));
    void *block = mmap(NULL, sizeof(struct event_block), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.fd, 0);
    if (block == MAP_FAILED) {
        perror("mmap");
        exit(EXIT_FAILURE);
    }
    return block;
}

/* The process, as its lock names it. */
static uint64_t
id_of(pid_t pid) {
    char path[64];
    unsigned long long start = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    CHECK_EQUAL(1, fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                          &start));
    fclose(file);
    return (uint64_t)pid << 40 | start;
}

static struct suspension
suspend_during_an_update(void) {
    struct suspension suspension = {0};
    struct event_descriptor descriptor;
    party_create(&suspension.self, true);
    REQUIRE_SUCCESS(party_export(&suspension.self, &descriptor));
    suspension.importer = start_importer("host", &descriptor);
    suspension.block = map_block(&descriptor);
    suspend(&suspension.importer);
    CHECK_EQUAL(0, atomic_load(&suspension.block->lock.holder));
    atomic_store(&suspension.block->lock.holder, id_of(suspension.importer.pid));
    return suspension;
}

static void
check_in_use(const struct suspension *suspension, const char *refusal) {
    char reason[100];
    snprintf(reason, sizeof(reason), "Process %d is still accessing the memory of a sync event after 5 s",
             (int)suspension->importer.pid);
    CHECK(strstr(last_error, refusal) != NULL);
    check_cause(reason);
    CHECK_EQUAL(1, atomic_load(&suspension->block->is_live));
}

static void
destroy_inherited(void *argument) {
    CHECK_SUCCESS(doca_sync_event_stop(((struct suspension *)argument)->self.event));
    CHECK_SUCCESS(doca_sync_event_destroy(((struct suspension *)argument)->self.event));
}

static void
test_stop_during_an_update(void) {
    struct suspension suspension = suspend_during_an_update();
    struct doca_sync_event *event = suspension.self.event;
    struct doca_sync_event *other = create_configured(suspension.self.word);
    REQUIRE_SUCCESS(doca_sync_event_start(other));
    /* The other event still uses the value. */
    CHECK_SUCCESS(doca_sync_event_destroy(other));
    check_nothing_logged();
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_sync_event_stop(event));
    check_in_use(&suspension, "Failed to stop: its memory is in use");
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_sync_event_destroy(event));
    check_in_use(&suspension, "Failed to destroy: its memory is in use");
    /* It is still started. */
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is started", doca_sync_event_start(event));
    CHECK_EQUAL(0, get(event));
    check_in_child(destroy_inherited, &suspension);
    kill_peer(&suspension.importer);
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_EQUAL(0, atomic_load(&suspension.block->is_live));
    munmap(suspension.block, sizeof(*suspension.block));
    CHECK_SUCCESS(party_destroy(&suspension.self));
    check_nothing_logged();
}

static void
test_stop_of_a_context_during_an_update(void) {
    struct suspension suspension = suspend_during_an_update();
    struct doca_sync_event *event = suspension.self.event;
    /* Two events with one address share their value. */
    struct doca_sync_event *event_of_ctx = create_configured(suspension.self.word);
    struct doca_ctx *ctx = start_as_ctx(event_of_ctx);
    atomic_store(&suspension.block->lock.holder, 0);
    CHECK_SUCCESS(doca_sync_event_stop(event));
    atomic_store(&suspension.block->lock.holder, id_of(suspension.importer.pid));
    CHECK_REFUSED(DOCA_ERROR_IN_PROGRESS, "is still accessing the memory of a sync event after 5 s",
                  doca_ctx_stop(ctx));
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
        sleep_once(pe);
        (void)doca_pe_progress(pe);
        CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of_ctx(ctx));
    }
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is stopping and not idle", doca_sync_event_destroy(event_of_ctx));
    CHECK_EQUAL(1, atomic_load(&suspension.block->is_live));
    kill_peer(&suspension.importer);
    sleep_once(pe);
    (void)doca_pe_progress(pe);
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of_ctx(ctx));
    CHECK_EQUAL(0, atomic_load(&suspension.block->is_live));
    munmap(suspension.block, sizeof(*suspension.block));
    CHECK_SUCCESS(doca_sync_event_destroy(event_of_ctx));
    CHECK_SUCCESS(party_destroy(&suspension.self));
    check_nothing_logged();
}

/*
 * Tasks
 */

static void
check_tasks(bool at_address) {
    uint64_t fetched = 0;
    struct event_descriptor descriptor;
    struct peer host = start_owner("host", at_address, &descriptor);
    struct doca_sync_event *event = import(&descriptor);
    struct doca_ctx *ctx = start_as_ctx(event);
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 4, 1)));
    REQUIRE_SUCCESS(doca_task_submit(make_add(event, 1, &fetched, 2)));
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 6, ALL, 3)));
    progress_until(2);
    CHECK_EQUAL(4, fetched);
    CHECK_EQUAL(5, ask(&host, PARTY_GET, 0).value);
    CHECK_SUCCESS(ask(&host, PARTY_ADD, 1).result);
    sleep_until(3);
    check_end(2, 3, DOCA_SUCCESS);
    forget_events();
    /* Waits fail with the owner, and the context with them. */
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 7, ALL, 4)));
    REQUIRE_SUCCESS(doca_task_submit(make_wait_neq(event, 6, ALL, 5)));
    kill_peer(&host);
    sleep_until(2);
    check_end(0, 4, DOCA_ERROR_IO_FAILED);
    check_end(1, 5, DOCA_ERROR_IO_FAILED);
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, events[0].state);
    check_logged("Failed to complete wait_eq task");
    forget_events();
    stop_ctx(ctx);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
test_tasks(void) {
    check_tasks(false);
    check_tasks(true);
}

int
main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "party") == 0) {
        return run_party();
    }
    keep_errors();
    dev = open_device("mlx5_0");
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    test_exchange();
    test_export_to_host();
    test_sums();
    test_death();
    test_stop();
    test_freed_memory();
    test_descriptors();
    test_sides();
    test_import_is_fixed();
    test_export_is_refused();
    test_tasks();
    test_stop_during_an_update();
    test_stop_of_a_context_during_an_update();
    CHECK_SUCCESS(doca_pe_destroy(pe));
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
