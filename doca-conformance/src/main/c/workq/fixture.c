/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <poll.h>
#include <time.h>

#define TIME_LIMIT_MS 3000

void
open_device(void) {
    if (dev != NULL) {
        return;
    }
    struct doca_devinfo **list;
    uint32_t num_devices = 0;
    REQUIRE(doca_devinfo_list_create(&list, &num_devices));
    for (uint32_t i = 0; i < num_devices && dev == NULL; i++) {
        if (doca_dma_job_get_supported(list[i], DOCA_DMA_JOB_MEMCPY) == DOCA_SUCCESS) {
            REQUIRE(doca_dev_open(list[i], &dev));
        }
    }
    REQUIRE(doca_devinfo_list_destroy(list));
    if (dev == NULL) {
        not_available("no device copies by DMA");
    }
}

struct doca_devinfo *
devinfo(void) {
    open_device();
    return doca_dev_as_devinfo(dev);
}

struct doca_mmap *
configure_map(void *addr, size_t len, uint32_t permissions) {
    open_device();
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create(NULL, &mmap));
    REQUIRE(doca_mmap_dev_add(mmap, dev));
    REQUIRE(doca_mmap_set_memrange(mmap, addr, len));
    REQUIRE(doca_mmap_set_permissions(mmap, permissions));
    return mmap;
}

void
map_memory(void) {
    if (map != NULL) {
        return;
    }
    map_filled_memory(DOCA_ACCESS_LOCAL_READ_WRITE | DOCA_ACCESS_RDMA_READ | DOCA_ACCESS_RDMA_WRITE
                      | DOCA_ACCESS_RDMA_ATOMIC);
    REQUIRE(doca_buf_inventory_create(NULL, 512, DOCA_BUF_EXTENSION_NONE, &inventory));
    REQUIRE(doca_buf_inventory_start(inventory));
}

struct doca_buf *
take(struct doca_mmap *mmap, void *addr, size_t len, size_t data_len) {
    struct doca_buf *buf;
    REQUIRE(doca_buf_inventory_buf_by_args(inventory, mmap, addr, len, addr, data_len, &buf));
    return buf;
}

struct doca_buf *
source(size_t offset, size_t len) {
    map_memory();
    return take(map, memory + offset, len, len);
}

struct doca_buf *
target(size_t offset, size_t len) {
    map_memory();
    return take(map, memory + offset, len, 0);
}

struct doca_buf *
source_list(size_t count, size_t offset, size_t len) {
    struct doca_buf *head = source(offset, len);
    for (size_t i = 1; i < count; i++) {
        REQUIRE(doca_buf_list_chain(head, source(offset + i * len, len)));
    }
    return head;
}

static long long
now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

bool
becomes_copied(size_t from, size_t to, size_t len) {
    /* Without threads the emulator copies only in retrievals. */
    const long long end = now_ms() + (is_emulator() && !is_threaded() ? 0 : TIME_LIMIT_MS);
    while (!is_copied(from, to, len) && now_ms() < end) {
        poll(NULL, 0, 1);
    }
    return is_copied(from, to, len);
}

struct doca_workq *
create_workq(uint32_t depth) {
    struct doca_workq *workq;
    REQUIRE(doca_workq_create(depth, &workq));
    return workq;
}

struct doca_dma *
configure_dma(void) {
    struct doca_dma *dma;
    map_memory();
    REQUIRE(doca_dma_create(&dma));
    REQUIRE(doca_ctx_dev_add(doca_dma_as_ctx(dma), dev));
    return dma;
}

struct doca_ctx *
start_dma(void) {
    struct doca_ctx *ctx = doca_dma_as_ctx(configure_dma());
    REQUIRE(doca_ctx_start(ctx));
    return ctx;
}

struct doca_ctx *
attach_dma(struct doca_workq *workq) {
    struct doca_ctx *ctx = start_dma();
    REQUIRE(doca_ctx_workq_add(ctx, workq));
    return ctx;
}

struct doca_dma_job_memcpy
copy_job(struct doca_ctx *ctx, uint64_t number, struct doca_buf *src, struct doca_buf *dst) {
    return (struct doca_dma_job_memcpy){
        .base = {.type = DOCA_DMA_JOB_MEMCPY, .ctx = ctx, .user_data = {.u64 = number}},
        .dst_buff = dst,
        .src_buff = src};
}

doca_error_t
submit_copy(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number, struct doca_buf *src,
            struct doca_buf *dst) {
    const struct doca_dma_job_memcpy job = copy_job(ctx, number, src, dst);
    return doca_workq_submit(workq, &job.base);
}

doca_error_t
submit_block(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number) {
    return submit_copy(workq, ctx, number, source(number * 64, 64), target((1000 + number) * 64, 64));
}

doca_error_t
submit_failing(struct doca_workq *workq, struct doca_ctx *ctx, uint64_t number) {
    return submit_copy(workq, ctx, number, target(number * 64, 64), target((1000 + number) * 64, 64));
}

static doca_error_t
retrieve_for(struct doca_workq *workq, struct doca_event *event, unsigned milliseconds) {
    const long long end = now_ms() + milliseconds;
    doca_error_t result;
    do {
        result = doca_workq_progress_retrieve(workq, event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
    } while (result == DOCA_ERROR_AGAIN && now_ms() < end);
    return result;
}

doca_error_t
retrieve(struct doca_workq *workq, struct doca_event *event) {
    return retrieve_for(workq, event, TIME_LIMIT_MS);
}

void
answer_events(struct doca_workq *workq, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        struct doca_event event = {.result = {.u64 = 99}};
        const doca_error_t code = retrieve(workq, &event);
        if (code == DOCA_ERROR_AGAIN) {
            answer("no event");
            return;
        }
        if (code == DOCA_SUCCESS && event.result.u64 == 0) {
            answer("%llu SUCCESS", (unsigned long long)event.user_data.u64);
        } else {
            answer("%llu %s %llu", (unsigned long long)event.user_data.u64, code_name(code),
                   (unsigned long long)event.result.u64);
        }
    }
}

bool
has_event(struct doca_workq *workq) {
    struct doca_event event = {0};
    return retrieve_for(workq, &event, 100) != DOCA_ERROR_AGAIN;
}

bool
is_signalled(int descriptor, unsigned milliseconds) {
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    return poll(&polled, 1, (int)milliseconds) == 1;
}
