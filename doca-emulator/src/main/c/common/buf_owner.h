/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owners of buffers: the common part of buffer inventories and buffer pools. Acquiring and releasing allocate nothing
 * and take no lock. One thread at a time uses an owner and its buffers.
 */
#ifndef DOCA_EMULATOR_BUF_OWNER_H_
#define DOCA_EMULATOR_BUF_OWNER_H_

#include "array_store.h"
#include "buf.h"
#include "mmap_object.h"

/* The first member of an inventory and of a pool. */
struct buf_owner {
    struct object object;
    bool started;
    /* Copies of the emulator's settings, for speed. */
    bool strict;
    /* True if a buffer may be set to another range. */
    bool aims_freely;
    uint32_t num_elements;
    uint32_t num_free;
    /* Linked by doca_buf.next. */
    struct doca_buf *free;
    /* Arrays of buffers. */
    struct stored_array *chunks;
    union doca_data user_data;
};

/* Adds free elements. Returns NO_MEMORY without memory, or if the count of elements would overflow. */
doca_error_t buf_owner_add(struct buf_owner *owner, size_t num_elements);

void buf_owner_free_chunks(struct buf_owner *owner);

static inline uint32_t
buf_owner_num_taken(const struct buf_owner *owner) {
    return owner->num_elements - owner->num_free;
}

/* Acquires a single buffer with one reference. The caller has checked that one is free. */
static inline struct doca_buf *
buf_owner_take(struct buf_owner *owner, struct doca_mmap *mmap, void *head, size_t len, void *data, size_t data_len) {
    struct doca_buf *buf = owner->free;
    owner->free = buf->next;
    owner->num_free--;
    buf->head = head;
    buf->len = len;
    buf->data = data;
    buf->data_len = data_len;
    buf->next = NULL;
    buf->list_head = buf;
    buf->list_tail = buf;
    buf->refcount = 1;
    buf->acquisition++;
    buf->mmap = mmap;
    __atomic_store_n(&buf->object.class, &buf_class, __ATOMIC_RELAXED);
    mmap_count_buf(mmap);
    return buf;
}

static inline void
buf_owner_return(struct doca_buf *buf) {
    struct buf_owner *owner = buf->owner;
    mmap_discount_buf(buf->mmap);
    __atomic_store_n(&buf->object.class, NULL, __ATOMIC_RELAXED);
    buf->refcount = 0;
    buf->acquisition++;
    buf->next = owner->free;
    owner->free = buf;
    owner->num_free++;
}

static inline bool
buf_range_contains(const void *head, size_t len, const void *data, size_t data_len) {
    /* Compares integers, as the addresses are arbitrary. Before the head the offset wraps and is too large. */
    const uintptr_t offset = (uintptr_t)data - (uintptr_t)head;
    return data_len <= len && offset <= len - data_len;
}

#endif /* DOCA_EMULATOR_BUF_OWNER_H_ */
