/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of local buffers that a task reads or writes. They are captured when it is submitted, so that the program
 * may change the segments of its buffers while the task is in flight.
 */
#ifndef DOCA_EMULATOR_RDMA_EXTENTS_H_
#define DOCA_EMULATOR_RDMA_EXTENTS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/mmap.h"

/* Bytes of one buffer. */
struct extent {
    struct doca_mmap *mmap;
    uint8_t *addr;
    size_t len;
    struct buf_use use;
};

struct extents {
    /* Either the single one or the list. */
    struct extent *items;
    uint32_t count;
    size_t len;
    struct extent single;
    struct extent *list;
    uint32_t capacity;
};

/* Captures the data of all elements of the list. Returns the fault, or NULL. */
const char *rdma_extents_capture_source(struct extents *extents, const struct doca_buf *src, uint32_t max_elements);

/* Captures the free tails of all elements. Returns the fault, or NULL. */
const char *rdma_extents_capture_destination(struct extents *extents, struct doca_buf *dst, uint32_t max_elements);

/* Captures no bytes. */
void rdma_extents_clear(struct extents *extents);

/* Keeps only the first len bytes. */
void rdma_extents_truncate(struct extents *extents, size_t len);

/* Returns the reason why the bytes cannot be read or written, or NULL. May be called from any thread. */
const char *rdma_extents_check_access(
        const struct extents *extents, const struct doca_dev *dev, enum mmap_access access);

/* Keeps only the bytes before the first one that the device cannot write. */
void rdma_extents_keep_writable(struct extents *extents, const struct doca_dev *dev);

/* Returns whether the list has more elements than the limit. */
bool rdma_list_is_longer(const struct doca_buf *list, uint32_t limit);

/* Returns the number of bytes behind the data of all elements. */
size_t rdma_list_room(const struct doca_buf *list);

/* Appends len of the captured bytes to the data of the buffers. */
void rdma_extents_extend_buffers(const struct extents *extents, size_t len);

void rdma_extents_dispose(struct extents *extents);

/* Returns whether the data segment is inside the buffer. When not strict, buffers accept any segment. */
static inline bool
is_segment_inside(const struct doca_buf *buf) {
    const uintptr_t offset = (uintptr_t)buf->data - (uintptr_t)buf->head;
    return offset <= buf->len && buf->data_len <= buf->len - offset;
}

/* Returns the number of bytes after the data of the buffer. */
static inline size_t
buf_room(const struct doca_buf *buf) {
    return is_segment_inside(buf) ? (size_t)(buf->head + buf->len - buf->data) - buf->data_len : 0;
}

#endif /* DOCA_EMULATOR_RDMA_EXTENTS_H_ */
