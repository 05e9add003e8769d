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

/* Returns the number of elements, or limit + 1 if there are more. A list that was chained to itself has no end. */
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
    if (count == 1) {
        task->extents = &task->single;
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

void
dma_memcpy_task_set_destination(struct doca_dma_task_memcpy *task, struct doca_buf *dst) {
    task->dst = dst;
    task->dst_key = dst == NULL ? (struct mmap_key){0} : mmap_get_key(dst->mmap);
}

/* Records a fault of the task, unless it has one already. */
static void
note_fault(struct doca_dma_task_memcpy *task, const char *fault, uint32_t extent) {
    if (task->fault == NULL) {
        task->fault = fault;
        task->failed_extent = extent;
    }
}

static void
capture_source(struct doca_dma_task_memcpy *task) {
    task->num_extents = 0;
    task->len = 0;
    for (const struct doca_buf *buf = task->src; buf != NULL; buf = buf->next) {
        task->extents[task->num_extents] = (struct extent){.mmap = buf->mmap, .addr = buf->data, .len = buf->data_len};
        if (buf->data_len == 0) {
            note_fault(task, buf == task->src && buf->next == NULL ? "the source has no data"
                                                                   : "an element of the source has no data",
                       task->num_extents);
        }
        task->num_extents++;
        task->len += buf->data_len;
    }
}

/* Returns whether the data segment is inside the buffer. When not strict, buffers accept any segment. */
static bool
is_segment_inside(const struct doca_buf *buf) {
    const uintptr_t offset = (uintptr_t)buf->data - (uintptr_t)buf->head;
    return offset <= buf->len && buf->data_len <= buf->len - offset;
}

/*
 * Returns the number of bytes behind the data of the destination, as far as its elements are adjacent in memory: the
 * device sees one range, which begins in the first element.
 */
static size_t
destination_room(const struct doca_buf *dst) {
    size_t room = (size_t)(dst->head + dst->len - dst->data) - dst->data_len;
    for (const struct doca_buf *buf = dst; buf->next != NULL; buf = buf->next) {
        const struct doca_buf *next = buf->next;
        if (next->head != buf->head + buf->len || next->mmap != dst->mmap || next->data_len > 0) {
            break;
        }
        room += next->len;
    }
    return room;
}

/* Refuses copies that the library accepts although they write outside of the destination. */
static const char *
find_misuse(const struct doca_dma_task_memcpy *task) {
    const struct doca_buf *dst = task->dst;
    if (!is_segment_inside(dst)) {
        return "the data segment of the destination leaves its buffer";
    }
    if (destination_room(dst) < task->len) {
        return dst->next == NULL ? "the destination has too little room after its data"
                                 : "the destination has too little room after its data, where a list is written to "
                                   "as one range and its elements must lie one behind the other";
    }
    for (uint32_t i = 0; i < task->num_extents; i++) {
        const struct extent *extent = &task->extents[i];
        if (extent->addr < task->dst_addr + task->len && task->dst_addr < extent->addr + extent->len &&
            mmap_share_addresses(extent->mmap, dst->mmap)) {
            return "source and destination overlap";
        }
    }
    return NULL;
}

static doca_error_t
refuse(struct doca_dma_task_memcpy *task, const char *fault) {
    task->fault = fault;
    dma_memcpy_task_log_failure(task, "submit");
    return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
dma_memcpy_task_capture(struct doca_dma_task_memcpy *task, bool validate) {
    const struct doca_dma *dma = dma_of(task);
    const uint32_t max_elements = dma->capabilities->max_buf_list_len;

    if (!buf_is_live(task->src) || !buf_is_live(task->dst)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    task->finished = false;
    task->faulty = false;
    task->fault = NULL;
    const uint32_t num_elements = count_elements(task->src, max_elements);
    if (num_elements > max_elements) {
        return refuse(task, "the source has more elements than a task may have");
    }
    const doca_error_t result = reserve_extents(task, num_elements);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    capture_source(task);
    if (task->len > dma->capabilities->max_buf_size) {
        return refuse(task, "the source is longer than a task may copy");
    }
    task->dst_addr = task->dst->data + task->dst->data_len;
    task->dst_use = buf_use(task->dst);
    const char *misuse = dma->strict && task->fault == NULL ? find_misuse(task) : NULL;
    if (misuse != NULL && validate) {
        return refuse(task, misuse);
    }
    if (misuse != NULL) {
        note_fault(task, misuse, task->num_extents - 1);
    }
    return DOCA_SUCCESS;
}

/* Returns the first map of another process, or NULL. */
static struct doca_mmap *
find_imported(const struct doca_dma_task_memcpy *task) {
    for (uint32_t i = 0; i < task->num_extents; i++) {
        if (mmap_is_imported(task->extents[i].mmap)) {
            return task->extents[i].mmap;
        }
    }
    return mmap_is_imported(task->dst_key.mmap) ? task->dst_key.mmap : NULL;
}

void
dma_memcpy_task_add_faults(struct doca_dma_task_memcpy *task) {
    task->faulty = true;
    task->faults = faults_of_next_task(find_imported(task) != NULL);
    if (task->faults.error != DOCA_SUCCESS) {
        task->fault = "the faults that are set ask for it";
        task->failed_extent = task->num_extents - 1;
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
    case DOCA_ERROR_NOT_FOUND:
        return "the mmap that the destination had when it was set for the task is gone";
    default:
        return reads ? "the source leaves its mmap" : "the destination leaves its mmap";
    }
}

/* Records a fault in the task if the maps do not let the device access the captured bytes. */
static void
check_access(struct doca_dma_task_memcpy *task) {
    const struct doca_dev *dev = dma_of(task)->dev;
    const uint8_t *dst = task->dst_addr;
    for (uint32_t i = 0; i < task->num_extents && task->fault == NULL; i++) {
        const struct extent *extent = &task->extents[i];
        doca_error_t error = mmap_check_access(extent->mmap, dev, extent->addr, extent->len, MMAP_ACCESS_READ);
        if (error != DOCA_SUCCESS) {
            note_fault(task, access_fault(error, MMAP_ACCESS_READ), i);
            return;
        }
        error = mmap_is_key_valid(&task->dst_key)
                        ? mmap_check_access(task->dst_key.mmap, dev, dst, extent->len, MMAP_ACCESS_WRITE)
                        : DOCA_ERROR_NOT_FOUND;
        if (error != DOCA_SUCCESS) {
            note_fault(task, access_fault(error, MMAP_ACCESS_WRITE), i);
        }
        dst += extent->len;
    }
}

bool
dma_memcpy_task_fails_early(const struct doca_dma_task_memcpy *task) {
    return task->fault != NULL && task->failed_extent + 1 < task->num_extents;
}

static doca_error_t
failure_of(const struct doca_dma_task_memcpy *task) {
    return task->faulty && task->faults.error != DOCA_SUCCESS ? task->faults.error : DOCA_ERROR_IO_FAILED;
}

/* Copies one element; kills the exporter when the number of copied bytes is reached. */
static doca_error_t
copy_extent(const struct doca_dma_task_memcpy *task, const struct extent *extent, size_t copied, size_t pause) {
    struct doca_mmap *dst_mmap = task->dst_key.mmap;
    uint8_t *dst = task->dst_addr + copied;
    size_t before = 0;
    if (pause >= copied && pause - copied < extent->len) {
        before = pause - copied;
        const doca_error_t result = mmap_copy(dst_mmap, dst, extent->mmap, extent->addr, before);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        mmap_kill_exporter(find_imported(task));
    }
    return mmap_copy(dst_mmap, dst + before, extent->mmap, extent->addr + before, extent->len - before);
}

void
dma_memcpy_task_run(struct doca_dma_task_memcpy *task) {
    const size_t pause = task->faulty && task->faults.kills_exporter ? task->len / 2 : SIZE_MAX;
    size_t copied = 0;
    check_access(task);
    task->result = task->fault == NULL ? DOCA_SUCCESS : failure_of(task);
    for (uint32_t i = 0; i < task->num_extents && task->result == DOCA_SUCCESS; i++) {
        task->result = copy_extent(task, &task->extents[i], copied, pause);
        copied += task->extents[i].len;
    }
}

static void
for_each_map(const struct doca_dma_task_memcpy *task, void (*act)(struct doca_mmap *mmap)) {
    for (uint32_t i = 0; i < task->num_extents; i++) {
        act(task->extents[i].mmap);
    }
    act(task->dst_key.mmap);
}

void
dma_memcpy_task_run_pinned(struct doca_dma_task_memcpy *task) {
    for_each_map(task, mmap_pin);
    dma_memcpy_task_run(task);
    for_each_map(task, mmap_unpin);
}

/*
 * The program may have returned the buffer. In strict mode the data stay within it, where the program may have set another
 * segment with less room.
 */
void
dma_memcpy_task_extend_destination(const struct doca_dma_task_memcpy *task) {
    struct doca_buf *dst = buf_in_use(task->dst_use);
    if (dst == NULL) {
        return;
    }
    if (!dma_of(task)->strict) {
        dst->data_len += task->len;
    } else if (is_segment_inside(dst)) {
        const size_t room = destination_room(dst);
        dst->data_len += task->len < room ? task->len : room;
    }
}

void
dma_memcpy_task_log_failure(const struct doca_dma_task_memcpy *task, const char *what) {
    const struct doca_dma *dma = dma_of(task);

    SDK_LOG_ERR("DMA %p: Failed to %s memcpy task %p: %s (limits: %llu bytes, lists of %u buffers)", dma, what, task,
                task->fault != NULL ? task->fault : "the memory cannot be reached",
                (unsigned long long)dma->capabilities->max_buf_size, dma->capabilities->max_buf_list_len);
}

void
dma_memcpy_task_dispose(struct doca_dma_task_memcpy *task) {
    free(task->list);
    task->list = NULL;
}
