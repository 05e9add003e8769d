/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/buf.h"
#include "common/mmap.h"
#include "common/sdk_log.h"
#include "dma/dma.h"
#include "dma/memcpy_task.h"

static struct doca_dma *
dma_of(const struct doca_dma_task_memcpy *task) {
    return (struct doca_dma *)task->base.ctx;
}

/* The number of elements, or limit + 1 when there are more: a list that was chained to itself has no end. */
static uint32_t
count_elements(const struct doca_buf *buf, uint32_t limit) {
    uint32_t count = 0;
    while (buf != NULL && count <= limit) {
        count++;
        buf = buf->next;
    }
    return count;
}

static doca_error_t
reserve_extents(struct doca_dma_task_memcpy *task, uint32_t count) {
    if (count <= sizeof(task->pair) / sizeof(task->pair[0])) {
        task->extents = task->pair;
        return DOCA_SUCCESS;
    }
    if (count > task->list_capacity) {
        struct extent *list = malloc(count * sizeof(*list));
        if (list == NULL) {
            return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "DMA %p: No memory for task %p to copy %u buffers", dma_of(task),
                              task, count);
        }
        free(task->list);
        task->list = list;
        task->list_capacity = count;
    }
    task->extents = task->list;
    return DOCA_SUCCESS;
}

/* When not strict, buffers take any data segment that a program sets. */
static bool
is_segment_inside(const struct doca_buf *buf) {
    const uintptr_t offset = (uintptr_t)buf->data - (uintptr_t)buf->head;
    return offset <= buf->len && buf->data_len <= buf->len - offset;
}

/* The data of all elements; gives the fault, or NULL. */
static const char *
capture_source(struct doca_dma_task_memcpy *task) {
    const struct doca_dma *dma = dma_of(task);
    const uint64_t max_len = dma->capabilities->max_buf_size;

    for (const struct doca_buf *buf = task->src; buf != NULL; buf = buf->next) {
        if (buf->data_len == 0) {
            continue;
        }
        if (buf->data_len > max_len - task->len) {
            return "the source is longer than a task may copy";
        }
        task->extents[task->num_src_extents] =
                (struct extent){.mmap = buf->mmap, .addr = buf->data, .len = buf->data_len};
        task->num_src_extents++;
        task->len += buf->data_len;
    }
    return task->len == 0 ? "the source has no data" : NULL;
}

/* The free tails of the elements, as far as they are needed; gives the fault, or NULL. */
static const char *
capture_destination(struct doca_dma_task_memcpy *task) {
    struct extent *extents = task->extents + task->num_src_extents;
    size_t missing = task->len;

    for (struct doca_buf *buf = task->dst; buf != NULL && missing > 0; buf = buf->next) {
        if (!is_segment_inside(buf)) {
            return "the data segment of a destination buffer leaves the buffer";
        }
        uint8_t *tail = buf->data + buf->data_len;
        const size_t room = (size_t)(buf->head + buf->len - tail);
        const size_t len = room < missing ? room : missing;
        if (len > 0) {
            extents[task->num_dst_extents] =
                    (struct extent){.mmap = buf->mmap, .addr = tail, .len = len, .buf = buf};
            task->num_dst_extents++;
            missing -= len;
        }
    }
    return missing > 0 ? "the destination has too little room after its data" : NULL;
}

static bool
overlap(const struct extent *a, const struct extent *b) {
    return a->addr < b->addr + b->len && b->addr < a->addr + a->len && mmap_share_addresses(a->mmap, b->mmap);
}

static const char *
find_overlap(const struct doca_dma_task_memcpy *task) {
    const struct extent *destination = task->extents + task->num_src_extents;

    for (uint32_t i = 0; i < task->num_src_extents; i++) {
        for (uint32_t j = 0; j < task->num_dst_extents; j++) {
            if (overlap(&task->extents[i], &destination[j])) {
                return "source and destination overlap";
            }
        }
    }
    return NULL;
}

doca_error_t
memcpy_task_capture(struct doca_dma_task_memcpy *task) {
    const struct doca_dma *dma = dma_of(task);
    const uint32_t max_elements = dma->capabilities->max_buf_list_len;

    if (!buf_is_live(task->src) || !buf_is_live(task->dst)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    task->num_src_extents = 0;
    task->num_dst_extents = 0;
    task->len = 0;
    task->finished = false;
    task->faulty = false;

    const uint32_t num_src = count_elements(task->src, max_elements);
    const uint32_t num_dst = count_elements(task->dst, max_elements);
    if (num_src > max_elements || num_dst > max_elements) {
        task->fault = "a buffer list has more elements than a task may have";
        return DOCA_SUCCESS;
    }
    doca_error_t result = reserve_extents(task, num_src + num_dst);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    task->fault = capture_source(task);
    if (task->fault == NULL) {
        task->fault = capture_destination(task);
    }
    if (task->fault == NULL && dma->strict) {
        task->fault = find_overlap(task);
    }
    if (task->fault != NULL) {
        task->num_src_extents = 0;
        task->num_dst_extents = 0;
    }
    return DOCA_SUCCESS;
}

/* The first map of another process, or NULL. */
static struct doca_mmap *
find_imported(const struct doca_dma_task_memcpy *task) {
    for (uint32_t i = 0; i < task->num_src_extents + task->num_dst_extents; i++) {
        if (mmap_is_imported(task->extents[i].mmap)) {
            return task->extents[i].mmap;
        }
    }
    return NULL;
}

void
memcpy_task_add_faults(struct doca_dma_task_memcpy *task) {
    task->faulty = true;
    task->faults = faults_of_next_task(find_imported(task) != NULL);
    if (task->faults.error != DOCA_SUCCESS) {
        task->fault = "the faults that are set ask for it";
    }
}

static const char *
access_fault(doca_error_t error, enum mmap_access access) {
    const bool reads = access == MMAP_ACCESS_READ;
    switch (error) {
    case DOCA_ERROR_BAD_STATE:
        return reads ? "the mmap of the source is not started" : "the mmap of the destination is not started";
    case DOCA_ERROR_NOT_PERMITTED:
        return reads ? "the mmap of the source does not let this device read"
                     : "the mmap of the destination does not let this device write";
    default:
        return reads ? "the source leaves its mmap" : "the destination leaves its mmap";
    }
}

void
memcpy_task_check_access(struct doca_dma_task_memcpy *task) {
    const struct doca_dev *dev = dma_of(task)->dev;

    for (uint32_t i = 0; i < task->num_src_extents + task->num_dst_extents; i++) {
        const struct extent *extent = &task->extents[i];
        const enum mmap_access access = i < task->num_src_extents ? MMAP_ACCESS_READ : MMAP_ACCESS_WRITE;
        const doca_error_t error = mmap_check_access(extent->mmap, dev, extent->addr, extent->len, access);
        if (error != DOCA_SUCCESS) {
            task->fault = access_fault(error, access);
            return;
        }
    }
}

static doca_error_t
failure_of(const struct doca_dma_task_memcpy *task) {
    return task->faulty && task->faults.error != DOCA_SUCCESS ? task->faults.error : DOCA_ERROR_IO_FAILED;
}

static size_t
smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

void
memcpy_task_run(struct doca_dma_task_memcpy *task) {
    if (task->fault == NULL) {
        memcpy_task_check_access(task);
    }
    task->result = task->fault == NULL ? DOCA_SUCCESS : failure_of(task);

    const struct extent *src = task->extents;
    const struct extent *dst = task->extents + task->num_src_extents;
    size_t src_offset = 0;
    size_t dst_offset = 0;
    size_t copied = 0;
    const size_t pause = task->faulty && task->faults.kills_exporter ? task->len / 2 : SIZE_MAX;
    while (task->result == DOCA_SUCCESS && copied < task->len) {
        const size_t src_len = src->len - src_offset;
        const size_t dst_len = dst->len - dst_offset;
        if (copied == pause) {
            mmap_kill_exporter(find_imported(task));
        }
        const size_t len = smaller(smaller(src_len, dst_len), copied < pause ? pause - copied : SIZE_MAX);
        task->result = mmap_copy(dst->mmap, dst->addr + dst_offset, src->mmap, src->addr + src_offset, len);
        copied += len;
        src_offset += len;
        if (src_offset == src->len) {
            src++;
            src_offset = 0;
        }
        dst_offset += len;
        if (dst_offset == dst->len) {
            dst++;
            dst_offset = 0;
        }
    }
}

void
memcpy_task_extend_destination(const struct doca_dma_task_memcpy *task) {
    const struct extent *extents = task->extents + task->num_src_extents;

    for (uint32_t i = 0; i < task->num_dst_extents; i++) {
        struct doca_buf *buf = extents[i].buf;
        /* The program may have set another segment meanwhile, with less room. */
        if (is_segment_inside(buf)) {
            const size_t room = (size_t)(buf->head + buf->len - buf->data) - buf->data_len;
            buf->data_len += extents[i].len < room ? extents[i].len : room;
        }
    }
}

void
memcpy_task_log_failure(const struct doca_dma_task_memcpy *task, const char *what) {
    const struct doca_dma *dma = dma_of(task);

    SDK_LOG_ERR("DMA %p: Failed to %s memcpy task %p: %s (limits: %llu bytes, lists of %u buffers)", dma, what, task,
                task->fault != NULL ? task->fault : "the memory cannot be reached",
                (unsigned long long)dma->capabilities->max_buf_size, dma->capabilities->max_buf_list_len);
}

void
memcpy_task_dispose(struct doca_dma_task_memcpy *task) {
    free(task->list);
    task->list = NULL;
}
