/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "buf_owner.h"

struct object_class buf_class = OBJECT_CLASS("buf", struct doca_buf);

doca_error_t
buf_owner_add(struct buf_owner *owner, size_t num_elements) {
    if (num_elements > UINT32_MAX - owner->num_elements) {
        return DOCA_ERROR_NO_MEMORY;
    }
    struct buf_chunk *chunk = calloc(1, sizeof(*chunk) + num_elements * sizeof(chunk->bufs[0]));
    if (chunk == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    chunk->next = owner->chunks;
    owner->chunks = chunk;
    /* Starts with the last buffer, so that buffers are acquired in the order of their addresses. */
    for (size_t i = num_elements; i-- > 0;) {
        struct doca_buf *buf = &chunk->bufs[i];
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
        struct buf_chunk *chunk = owner->chunks;
        owner->chunks = chunk->next;
        free(chunk);
    }
}
