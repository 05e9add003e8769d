/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a buffer descriptor.
 */
#ifndef DOCA_EMULATOR_BUF_H_
#define DOCA_EMULATOR_BUF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>

#include "object.h"

struct doca_mmap;

/* The owner that takes a buffer back when its last reference goes: an inventory or a buffer pool. */
struct buf_owner;

struct doca_buf {
    /* Live while somebody has the buffer. */
    struct object object;
    uint8_t *head;
    size_t len;
    uint8_t *data;
    size_t data_len;
    /* Next element of the list, or NULL. */
    struct doca_buf *next;
    /* First element of the list that this is part of; itself when it is the first or alone. */
    struct doca_buf *list_head;
    /* Last element of the list; valid in the first element only. */
    struct doca_buf *list_tail;
    uint16_t refcount;
    struct doca_mmap *mmap;
    struct buf_owner *owner;
};

/* Returns whether the handle is a buffer that was taken and not given back; if not, the log says so. */
bool buf_is_live(const struct doca_buf *buf) EMULATOR_SHARED(buf_is_live);

#endif /* DOCA_EMULATOR_BUF_H_ */
