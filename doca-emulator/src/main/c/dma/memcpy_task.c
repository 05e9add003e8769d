/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/buf.h"
#include "common/mmap.h"
#include "common/sdk_log.h"
#include "common/settings.h"
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

/* Replaces a list of the task that has too few entries. */
static doca_error_t
reserve(const struct doca_dma_task_memcpy *task, uint32_t count, size_t size, void **list, uint32_t *capacity) {
    if (count <= *capacity) {
        return DOCA_SUCCESS;
    }
    void *longer = malloc(count * size);
    if (longer == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "DMA %p: No memory for task %p to copy %u buffers", dma_of(task), task,
                          count);
    }
    free(*list);
    *list = longer;
    *capacity = count;
    return DOCA_SUCCESS;
}

static doca_error_t
reserve_extents(struct doca_dma_task_memcpy *task, uint32_t count) {
    if (count == 1) {
        task->extents = &task->single;
        return DOCA_SUCCESS;
    }
    void *list = task->list;
    const doca_error_t result = reserve(task, count, sizeof(*task->list), &list, &task->list_capacity);
    task->list = list;
    task->extents = list;
    return result;
}

static doca_error_t
reserve_targets(struct doca_dma_task_memcpy *task, uint32_t count) {
    if (count == 1) {
        task->targets = &task->single_target;
        return DOCA_SUCCESS;
    }
    void *list = task->target_list;
    const doca_error_t result = reserve(task, count, sizeof(*task->target_list), &list, &task->target_capacity);
    task->target_list = list;
    task->targets = list;
    return result;
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
            note_fault(task, task->src->next == NULL ? "the source has no data" : "an element of the source has no data",
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

/* Returns the number of bytes behind the data, which are inside the buffer. */
static size_t
room_behind_data(const struct doca_buf *buf) {
    return (size_t)(buf->head + buf->len - buf->data) - buf->data_len;
}

/*
 * Returns the number of bytes behind the data of a destination that is one range, which begins in the first element: as far
 * as the elements are adjacent in memory. The data of the first element are inside of it.
 */
static size_t
range_room(const struct doca_buf *dst) {
    size_t room = room_behind_data(dst);
    for (const struct doca_buf *buf = dst; buf->next != NULL; buf = buf->next) {
        const struct doca_buf *next = buf->next;
        if (next->head != buf->head + buf->len || next->mmap != dst->mmap || next->data_len > 0) {
            break;
        }
        room += next->len;
    }
    return room;
}

static void
add_target(struct doca_dma_task_memcpy *task, struct doca_buf *buf, struct mmap_key key, size_t len) {
    task->targets[task->num_targets++] =
            (struct target){.key = key, .addr = buf->data + buf->data_len, .len = len, .use = buf_use(buf)};
}

static const char segment_leaves[] = "the data segment of the destination leaves its buffer";
static const char overlapping[] = "source and destination overlap";
static const char too_little_room[] = "the destination has too little room after its data";

/* A destination that is one range, whatever the list, with release 2.5. */
static void
capture_range(struct doca_dma_task_memcpy *task, const char **misuse) {
    const struct doca_buf *dst = task->dst;
    add_target(task, task->dst, task->dst_key, task->len);
    if (!is_segment_inside(dst)) {
        *misuse = segment_leaves;
    } else if (range_room(dst) < task->len) {
        *misuse = dst->next == NULL
                          ? too_little_room
                          : "the destination has too little room after its data, where a list is written to as one range "
                            "and its elements must lie one behind the other";
    }
}

static bool
overlaps(const struct extent *extent, const struct target *target) {
    return extent->addr < target->addr + target->len && target->addr < extent->addr + extent->len &&
           mmap_share_addresses(extent->mmap, target->key.mmap);
}

/* Captures a copy from one buffer to one buffer, as most are. The reason for a refusal is stored in *misuse. */
static void
capture_single(struct doca_dma_task_memcpy *task, const char **misuse) {
    const struct doca_buf *src = task->src;
    struct doca_buf *dst = task->dst;
    task->single = (struct extent){.mmap = src->mmap, .addr = src->data, .len = src->data_len};
    task->extents = &task->single;
    task->num_extents = 1;
    task->len = src->data_len;
    if (src->data_len == 0) {
        note_fault(task, "the source has no data", 0);
    }
    task->targets = &task->single_target;
    task->num_targets = 0;
    add_target(task, dst, dma_of(task)->scatters ? mmap_get_key(dst->mmap) : task->dst_key, task->len);
    if (!is_segment_inside(dst)) {
        *misuse = segment_leaves;
    } else if (room_behind_data(dst) < task->len) {
        *misuse = too_little_room;
    } else if (overlaps(&task->single, &task->single_target)) {
        *misuse = overlapping;
    }
}

/*
 * Captures where the bytes go. Those for which there is no room go behind the last element. The library accepts this, and
 * data that leave their buffer: the reason for a refusal is stored in *misuse.
 */
static doca_error_t
capture_destination(struct doca_dma_task_memcpy *task, const char **misuse) {
    size_t rest = task->len;
    const bool is_single = !dma_of(task)->scatters || task->dst->next == NULL;
    const doca_error_t result = reserve_targets(task, is_single ? 1 : count_elements(task->dst, UINT32_MAX - 1));
    task->num_targets = 0;
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!dma_of(task)->scatters) {
        capture_range(task, misuse);
        return DOCA_SUCCESS;
    }
    for (struct doca_buf *buf = task->dst; buf != NULL; buf = buf->next) {
        const bool is_inside = is_segment_inside(buf);
        const size_t room = is_inside ? room_behind_data(buf) : 0;
        if (!is_inside) {
            *misuse = segment_leaves;
        } else if (buf->next == NULL && room < rest && *misuse == NULL) {
            *misuse = too_little_room;
        }
        const size_t len = buf->next == NULL || room > rest ? rest : room;
        if (len > 0 || buf->next == NULL) {
            add_target(task, buf, mmap_get_key(buf->mmap), len);
        }
        rest -= len;
    }
    return DOCA_SUCCESS;
}

static bool
has_overlap(const struct doca_dma_task_memcpy *task) {
    for (uint32_t i = 0; i < task->num_extents; i++) {
        for (uint32_t j = 0; j < task->num_targets; j++) {
            if (overlaps(&task->extents[i], &task->targets[j])) {
                return true;
            }
        }
    }
    return false;
}

static doca_error_t
refuse(struct doca_dma_task_memcpy *task, const char *fault) {
    task->fault = fault;
    dma_memcpy_task_log_failure(task, "submit");
    return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t
capture_lists(struct doca_dma_task_memcpy *task, uint32_t max_elements, const char **misuse) {
    const uint32_t num_elements = count_elements(task->src, max_elements);
    if (num_elements > max_elements) {
        return refuse(task, "the source has more elements than a task may have");
    }
    doca_error_t result = reserve_extents(task, num_elements);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    capture_source(task);
    result = capture_destination(task, misuse);
    if (result == DOCA_SUCCESS && dma_of(task)->strict && *misuse == NULL && has_overlap(task)) {
        *misuse = overlapping;
    }
    return result;
}

/* Releases after 2.5 check the limits only with validation. The emulator also refuses excess in strict mode. */
static bool
checks_limits(const struct doca_dma *dma, bool validate) {
    return validate || dma->strict || !dma->scatters;
}

doca_error_t
dma_memcpy_task_capture(struct doca_dma_task_memcpy *task, bool validate) {
    const struct doca_dma *dma = dma_of(task);
    const bool is_limited = checks_limits(dma, validate);
    const uint32_t max_elements = is_limited ? dma->capabilities->max_buf_list_len : UINT32_MAX - 1;
    const char *misuse = NULL;

    if (!buf_is_live(task->src) || !buf_is_live(task->dst)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    task->finished = false;
    task->faulty = false;
    task->fault = NULL;
    if (task->src->next == NULL && task->dst->next == NULL && max_elements > 0) {
        capture_single(task, &misuse);
    } else {
        const doca_error_t result = capture_lists(task, max_elements, &misuse);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    if (is_limited && task->len > dma->capabilities->max_buf_size) {
        return refuse(task, "the source is longer than a task may copy");
    }
    if (!dma->strict || task->fault != NULL) {
        return DOCA_SUCCESS;
    }
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
    for (uint32_t i = 0; i < task->num_targets; i++) {
        if (mmap_is_imported(task->targets[i].key.mmap)) {
            return task->targets[i].key.mmap;
        }
    }
    return NULL;
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

/* A part of a copy: from one element of the source to one range of the destination. */
struct piece {
    uint32_t extent;
    uint32_t target;
    /* The positions in both. */
    size_t read;
    size_t written;
    size_t len;
};

/* Goes to the next piece, or from {0} to the first one. Returns false at the end. */
static bool
next_piece(const struct doca_dma_task_memcpy *task, struct piece *piece) {
    piece->read += piece->len;
    piece->written += piece->len;
    while (piece->extent < task->num_extents && piece->read == task->extents[piece->extent].len) {
        piece->extent++;
        piece->read = 0;
    }
    while (piece->target < task->num_targets && piece->written == task->targets[piece->target].len) {
        piece->target++;
        piece->written = 0;
    }
    if (piece->extent == task->num_extents || piece->target == task->num_targets) {
        return false;
    }
    const size_t readable = task->extents[piece->extent].len - piece->read;
    const size_t writable = task->targets[piece->target].len - piece->written;
    piece->len = readable < writable ? readable : writable;
    return true;
}

/* Records a fault in the task if the maps do not let the device access the bytes. */
static void
check_access(struct doca_dma_task_memcpy *task, const struct piece *piece) {
    const struct doca_dev *dev = dma_of(task)->dev;
    const struct extent *extent = &task->extents[piece->extent];
    const struct target *target = &task->targets[piece->target];
    doca_error_t error = mmap_check_access(extent->mmap, dev, extent->addr + piece->read, piece->len, MMAP_ACCESS_READ);
    if (error != DOCA_SUCCESS) {
        note_fault(task, access_fault(error, MMAP_ACCESS_READ), piece->extent);
        return;
    }
    error = mmap_is_key_valid(&target->key) ? mmap_check_access(target->key.mmap, dev, target->addr + piece->written,
                                                                piece->len, MMAP_ACCESS_WRITE)
                                            : dma_of(task)->scatters ? DOCA_ERROR_BAD_STATE : DOCA_ERROR_NOT_FOUND;
    if (error != DOCA_SUCCESS) {
        note_fault(task, access_fault(error, MMAP_ACCESS_WRITE), piece->extent);
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

/* Copies one piece; kills the exporter when the number of copied bytes is reached. */
static doca_error_t
copy_piece(const struct doca_dma_task_memcpy *task, const struct piece *piece, size_t copied, size_t pause) {
    const struct extent *extent = &task->extents[piece->extent];
    const struct target *target = &task->targets[piece->target];
    const uint8_t *src = extent->addr + piece->read;
    uint8_t *dst = target->addr + piece->written;
    size_t before = 0;
    if (pause >= copied && pause - copied < piece->len) {
        before = pause - copied;
        const doca_error_t result = mmap_copy(target->key.mmap, dst, extent->mmap, src, before);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        mmap_kill_exporter(find_imported(task));
    }
    return mmap_copy(target->key.mmap, dst + before, extent->mmap, src + before, piece->len - before);
}

static void
run_pieces(struct doca_dma_task_memcpy *task) {
    const size_t pause = task->faulty && task->faults.kills_exporter ? task->len / 2 : SIZE_MAX;
    struct piece piece = {0};
    size_t copied = 0;
    while (task->fault == NULL && next_piece(task, &piece)) {
        check_access(task, &piece);
    }
    task->result = task->fault == NULL ? DOCA_SUCCESS : failure_of(task);
    piece = (struct piece){0};
    while (task->result == DOCA_SUCCESS && next_piece(task, &piece)) {
        task->result = copy_piece(task, &piece, copied, pause);
        copied += piece.len;
    }
}

/* Returns whether the maps permit the whole copy from one range of this process to another. */
static bool
is_permitted(const struct doca_dma_task_memcpy *task) {
    const struct doca_dev *dev = dma_of(task)->dev;
    const struct extent *extent = &task->extents[0];
    const struct target *target = &task->targets[0];
    return mmap_permits(extent->mmap, dev, extent->addr, task->len, MMAP_ACCESS_READ) && mmap_is_key_valid(&target->key) &&
           mmap_permits(target->key.mmap, dev, target->addr, task->len, MMAP_ACCESS_WRITE);
}

/* Most copies are one piece within this process. Any other, and the fault of a refused one, takes longer. */
void
dma_memcpy_task_run(struct doca_dma_task_memcpy *task) {
    if (task->num_extents == 1 && task->num_targets == 1 && !task->faulty && task->fault == NULL && is_permitted(task)) {
        task->result = mmap_copy(task->targets[0].key.mmap, task->targets[0].addr, task->extents[0].mmap,
                                 task->extents[0].addr, task->len);
    } else {
        run_pieces(task);
    }
}

static void
for_each_map(const struct doca_dma_task_memcpy *task, void (*act)(struct doca_mmap *mmap)) {
    for (uint32_t i = 0; i < task->num_extents; i++) {
        act(task->extents[i].mmap);
    }
    for (uint32_t i = 0; i < task->num_targets; i++) {
        act(task->targets[i].key.mmap);
    }
}

void
dma_memcpy_task_run_pinned(struct doca_dma_task_memcpy *task) {
    for_each_map(task, mmap_pin);
    dma_memcpy_task_run(task);
    for_each_map(task, mmap_unpin);
}

/*
 * The program may have returned the buffers. In strict mode the data stay within them, where the program may have set other
 * segments with less room.
 */
void
dma_memcpy_task_extend_destination(const struct doca_dma_task_memcpy *task) {
    for (uint32_t i = 0; i < task->num_targets; i++) {
        const struct target *target = &task->targets[i];
        struct doca_buf *buf = buf_in_use(target->use);
        if (buf == NULL) {
            continue;
        }
        if (!dma_of(task)->strict) {
            buf->data_len += target->len;
        } else if (is_segment_inside(buf)) {
            const size_t room = dma_of(task)->scatters ? room_behind_data(buf) : range_room(buf);
            buf->data_len += target->len < room ? target->len : room;
        }
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
    free(task->target_list);
    task->list = NULL;
    task->target_list = NULL;
}
