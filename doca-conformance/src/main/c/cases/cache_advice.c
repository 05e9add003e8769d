/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "cache advice"

static struct doca_mmap_advise *advise;

static void
note_done(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    note_task(doca_mmap_advise_task_invalidate_cache_as_doca_task(task), task_data.u64, true);
}

static void
note_failed(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    note_task(doca_mmap_advise_task_invalidate_cache_as_doca_task(task), task_data.u64, false);
}

static struct doca_ctx *
start_advise(void) {
    map_memory();
    create_engine();
    if (doca_mmap_advise_cap_task_cache_invalidate_is_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device invalidates no cache");
    }
    REQUIRE(doca_mmap_advise_create(dev, &advise));
    REQUIRE(doca_mmap_advise_task_invalidate_cache_set_conf(advise, note_done, note_failed, 2));
    struct doca_ctx *ctx = doca_mmap_advise_as_ctx(advise);
    REQUIRE(doca_ctx_set_state_changed_cb(ctx, note_state));
    REQUIRE(doca_pe_connect_ctx(pe, ctx));
    REQUIRE(doca_ctx_start(ctx));
    forget_notes();
    return ctx;
}

RULE(advise_invalidate, "A task invalidates the cache for a buffer and does not change its bytes.", .source = SAMPLE,
     .since = 210, .answer = "done 1, yes") {
    (void)start_advise();
    struct doca_mmap_advise_task_invalidate_cache *task;
    static uint8_t before[4096];
    memcpy(before, memory, sizeof(before));
    REQUIRE(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, source(0, 4096), data_of(1), &task));
    REQUIRE(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    progress_to(1);
    answer_notes();
    answer_flag(memcmp(before, memory, sizeof(before)) == 0);
}

RULE(advise_arguments, "The context needs a device and a result pointer.", .source = OBSERVED_3_0, .since = 210,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    open_device();
    CODE(doca_mmap_advise_create(NULL, &advise));
    CODE(doca_mmap_advise_create(dev, NULL));
}
