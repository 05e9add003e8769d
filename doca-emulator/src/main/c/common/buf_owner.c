/* SPDX-License-Identifier: Apache-2.0 */
#include "buf_owner.h"

struct object_class buf_class = OBJECT_CLASS("buf", struct doca_buf);

static struct array_store chunks;

doca_error_t
buf_owner_add(struct buf_owner *owner, size_t num_elements) {
    if (num_elements > UINT32_MAX - owner->num_elements) {
        return DOCA_ERROR_NO_MEMORY;
    }
    struct stored_array *chunk = array_store_take(&chunks, (uint32_t)num_elements, sizeof(struct doca_buf));
    if (chunk == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    chunk->next = owner->chunks;
    owner->chunks = chunk;
    struct doca_buf *bufs = (struct doca_buf *)chunk->elements;
    /* Starts with the last buffer, so that buffers are acquired in the order of their addresses. */
    for (size_t i = num_elements; i-- > 0;) {
        struct doca_buf *buf = &bufs[i];
        buf->owner = owner;
        buf->next = owner->free;
        owner->free = buf;
    }
    owner->num_elements += (uint32_t)num_elements;
    owner->num_free += (uint32_t)num_elements;
    return DOCA_SUCCESS;
}

void
buf_owner_free_chunks(struct buf_owner *owner) {
    while (owner->chunks != NULL) {
        struct stored_array *chunk = owner->chunks;
        owner->chunks = chunk->next;
        array_store_return(&chunks, chunk);
    }
}
