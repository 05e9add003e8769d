/* SPDX-License-Identifier: Apache-2.0 */
/* The internal part of a buffer descriptor. */
#ifndef DOCA_EMULATOR_BUF_H_
#define DOCA_EMULATOR_BUF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>

#include "object.h"

struct doca_mmap;

/* Gets a buffer back when its last reference is dropped: an inventory or a buffer pool. */
struct buf_owner;

struct doca_buf {
    /* Live while the buffer is acquired. */
    struct object object;
    uint8_t *head;
    size_t len;
    uint8_t *data;
    size_t data_len;
    /* Next element of the list, or NULL. */
    struct doca_buf *next;
    /* The first element of the list; the buffer itself if it is the first one or not in a list. */
    struct doca_buf *list_head;
    /* Last element of the list; valid in the first element only. */
    struct doca_buf *list_tail;
    uint16_t refcount;
    /* Grows when the buffer is acquired and when it is returned. */
    uint32_t acquisition;
    struct doca_mmap *mmap;
    struct buf_owner *owner;
};

/* A buffer of a task in flight. The program may return the buffer, which may be acquired again for something else. */
struct buf_use {
    struct doca_buf *buf;
    uint32_t acquisition;
};

static inline struct buf_use
buf_use(struct doca_buf *buf) {
    return (struct buf_use){.buf = buf, .acquisition = buf->acquisition};
}

/* Returns the buffer, or NULL if it was returned since. */
static inline struct doca_buf *
buf_in_use(struct buf_use use) {
    return use.buf != NULL && use.buf->acquisition == use.acquisition ? use.buf : NULL;
}

extern struct object_class buf_class EMULATOR_SHARED(buf_class);

/* Returns whether the handle is an acquired buffer; if not, logs that. */
static inline bool
buf_is_live(const struct doca_buf *buf) {
    return IS_LIVE(buf_class, buf);
}

#endif /* DOCA_EMULATOR_BUF_H_ */
