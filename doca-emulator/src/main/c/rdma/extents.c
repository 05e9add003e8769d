/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "rdma/extents.h"

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

/* Allocates room for that many extents. */
static const char *
reserve(struct extents *extents, const struct doca_buf *buf, uint32_t max_elements) {
    const uint32_t count = count_elements(buf, max_elements);
    rdma_extents_clear(extents);
    if (count > max_elements) {
        return "a buffer list has more elements than the context was configured for";
    }
    if (count > 1 && count > extents->capacity) {
        struct extent *list = malloc(count * sizeof(*list));
        if (list == NULL) {
            return "there is no memory to note the buffers";
        }
        free(extents->list);
        extents->list = list;
        extents->capacity = count;
    }
    extents->items = count > 1 ? extents->list : &extents->single;
    return NULL;
}

static void
add(struct extents *extents, struct doca_buf *buf, uint8_t *addr, size_t len) {
    if (len > 0) {
        extents->items[extents->count++] =
                (struct extent){.mmap = buf->mmap, .addr = addr, .len = len, .use = buf_use(buf)};
        extents->len += len;
    }
}

const char *
rdma_extents_capture_source(struct extents *extents, const struct doca_buf *src, uint32_t max_elements) {
    const char *fault = reserve(extents, src, max_elements);
    for (const struct doca_buf *buf = src; buf != NULL && fault == NULL; buf = buf->next) {
        add(extents, (struct doca_buf *)buf, buf->data, buf->data_len);
    }
    return fault;
}

const char *
rdma_extents_capture_destination(struct extents *extents, struct doca_buf *dst, uint32_t max_elements) {
    const char *fault = reserve(extents, dst, max_elements);
    for (struct doca_buf *buf = dst; buf != NULL && fault == NULL; buf = buf->next) {
        if (!is_segment_inside(buf)) {
            return "the data segment of a destination buffer leaves the buffer";
        }
        uint8_t *tail = buf->data + buf->data_len;
        add(extents, buf, tail, (size_t)(buf->head + buf->len - tail));
    }
    return fault;
}

void
rdma_extents_clear(struct extents *extents) {
    extents->items = &extents->single;
    extents->count = 0;
    extents->len = 0;
}

void
rdma_extents_truncate(struct extents *extents, size_t len) {
    size_t rest = len;
    for (uint32_t i = 0; i < extents->count; i++) {
        if (extents->items[i].len >= rest) {
            extents->items[i].len = rest;
            extents->count = rest == 0 ? i : i + 1;
            rest = 0;
        } else {
            rest -= extents->items[i].len;
        }
    }
    extents->len = len - rest;
}

static const char *
describe(doca_error_t error, bool reads) {
    switch (error) {
    case DOCA_ERROR_BAD_STATE:
        return "the mmap of a local buffer is not started";
    case DOCA_ERROR_NOT_PERMITTED:
        return reads ? "the mmap of a local buffer does not let this device read"
                     : "the mmap of a local buffer does not let this device write";
    default:
        return "a local buffer leaves its mmap";
    }
}

const char *
rdma_extents_check_access(const struct extents *extents, const struct doca_dev *dev, enum mmap_access access) {
    for (uint32_t i = 0; i < extents->count; i++) {
        const struct extent *extent = &extents->items[i];
        const doca_error_t error = mmap_check_access(extent->mmap, dev, extent->addr, extent->len, access);
        if (error != DOCA_SUCCESS) {
            return describe(error, access == MMAP_ACCESS_READ);
        }
    }
    return NULL;
}

void
rdma_extents_keep_writable(struct extents *extents, const struct doca_dev *dev) {
    size_t len = 0;
    for (uint32_t i = 0; i < extents->count; i++) {
        const struct extent *extent = &extents->items[i];
        const size_t inside = mmap_len_from(extent->mmap, extent->addr);
        const size_t part = extent->len < inside ? extent->len : inside;
        if (part == 0 || mmap_check_access(extent->mmap, dev, extent->addr, part, MMAP_ACCESS_WRITE) != DOCA_SUCCESS) {
            break;
        }
        len += part;
        if (part < extent->len) {
            break;
        }
    }
    rdma_extents_truncate(extents, len);
}

bool
rdma_list_is_longer(const struct doca_buf *list, uint32_t limit) {
    return count_elements(list, limit) > limit;
}

size_t
rdma_list_room(const struct doca_buf *list) {
    size_t room = 0;
    for (const struct doca_buf *buf = list; buf != NULL; buf = buf->next) {
        room += buf_room(buf);
    }
    return room;
}

void
rdma_extents_extend_buffers(const struct extents *extents, size_t len) {
    size_t rest = len;
    for (uint32_t i = 0; i < extents->count && rest > 0; i++) {
        const struct extent *extent = &extents->items[i];
        const size_t part = extent->len < rest ? extent->len : rest;
        struct doca_buf *buf = buf_in_use(extent->use);
        /* The program may have set another segment in the meantime, with less room. */
        if (buf != NULL && is_segment_inside(buf)) {
            const size_t room = (size_t)(buf->head + buf->len - buf->data) - buf->data_len;
            buf->data_len += part < room ? part : room;
        }
        rest -= part;
    }
}

void
rdma_extents_dispose(struct extents *extents) {
    free(extents->list);
    extents->list = NULL;
    extents->capacity = 0;
}
