/* SPDX-License-Identifier: Apache-2.0 */
/* The invalidation of caches. */
#include <doca_mmap_advise.h>

#include "dma_fixture.h"

static struct doca_mmap_advise *advise;
static struct doca_ctx *ctx;
static size_t num_completed;
static size_t num_failed;
static doca_error_t last_status;

static void
complete(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    CHECK_EQUAL(7, task_data.u64);
    last_status = doca_task_get_status(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
    num_completed++;
}

static void
fail(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    last_status = doca_task_get_status(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
    num_failed++;
}

static struct doca_mmap_advise_task_invalidate_cache *
submit_new(struct doca_buf *buf) {
    struct doca_mmap_advise_task_invalidate_cache *task;
    REQUIRE_SUCCESS(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, numbered(7), &task));
    CHECK_POINTER(buf, doca_mmap_advise_task_invalidate_cache_get_buf(task));
    CHECK_SUCCESS(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    return task;
}

static void
begin(void) {
    num_completed = 0;
    num_failed = 0;
    REQUIRE_SUCCESS(doca_mmap_advise_create(dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    REQUIRE_SUCCESS(doca_mmap_advise_task_invalidate_cache_set_conf(advise, complete, fail, 2));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, ctx));
    REQUIRE_SUCCESS(doca_ctx_start(ctx));
}

static void
end(void) {
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_SUCCESS(doca_mmap_advise_destroy(advise));
}

static void
an_invalidation_succeeds(void) {
    struct doca_buf *buf = take_source(0, 64);
    uint64_t max_size = 0;
    const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    CHECK_SUCCESS(doca_mmap_advise_cap_task_cache_invalidate_is_supported(devinfo));
    CHECK_SUCCESS(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(devinfo, &max_size));
    CHECK(max_size >= 64);
    begin();
    struct doca_mmap_advise_task_invalidate_cache *task = submit_new(buf);
    CHECK_EQUAL(0, num_completed);
    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_EQUAL(1, num_completed);
    CHECK_SUCCESS(last_status);
    doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
    end();
    give_back(buf);
    check_nothing_logged();
}

static void
an_invalidation_that_leaves_the_map_fails(void) {
    struct doca_mmap *map = start_mmap(memory, 4096, NULL);
    struct doca_buf *buf = data_of(map, memory, 64);
    begin();
    struct doca_mmap_advise_task_invalidate_cache *task = submit_new(buf);
    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_EQUAL(1, num_failed);
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "was not added to it", last_status);
    doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_SUCCESS(doca_mmap_advise_destroy(advise));
    give_back(buf);
    CHECK_SUCCESS(doca_mmap_destroy(map));
}

static void
mistakes_are_refused(void) {
    struct doca_mmap_advise_task_invalidate_cache *task;
    begin();
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_mmap_advise_task_invalidate_cache_set_conf(advise, complete, fail, 2));
    REQUIRE_SUCCESS(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, numbered(7), &task));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_submit((struct doca_task *)task));
    doca_task_free((struct doca_task *)task);
    end();
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_advise_destroy(advise));
    last_error[0] = '\0';
}

int
main(void) {
    set_up();
    an_invalidation_succeeds();
    an_invalidation_that_leaves_the_map_fails();
    mistakes_are_refused();
    tear_down();
    return check_result();
}
