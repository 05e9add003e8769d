/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffer pools. The old SDK needs the alignment when a pool is created, so its pool is created when this pool starts.
 */
#include <doca_buf_pool.h>

#include <stdlib.h>

#include "old_sdk.h"
#include "refuse.h"

struct doca_buf_pool {
    /* NULL until it is started. */
    struct old_bufpool *old;
    const struct doca_mmap *mmap;
    size_t num_elements;
    size_t element_size;
    size_t element_alignment;
    union doca_data user_data;
    bool started;
};

doca_error_t
doca_buf_pool_create(
        size_t num_elements, size_t element_size, const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool) {
    if (!old.has_bufpool) {
        return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Failed to create a buf pool: the installed release has none");
    }
    if (num_elements == 0 || element_size == 0 || mmap == NULL || buf_pool == NULL) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %zu elements of %zu bytes, mmap %p", num_elements,
                      element_size, (const void *)mmap);
    }
    if (num_elements > UINT32_MAX) {
        return REFUSE(DOCA_ERROR_NO_MEMORY, "No memory for a buf pool of %zu elements", num_elements);
    }
    struct doca_buf_pool *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->mmap = mmap;
    created->num_elements = num_elements;
    created->element_size = element_size;
    created->element_alignment = 1;
    *buf_pool = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_destroy(struct doca_buf_pool *buf_pool) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    if (buf_pool->old != NULL) {
        const doca_error_t result = old.doca_bufpool_destroy(buf_pool->old);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    free(buf_pool);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_start(struct doca_buf_pool *buf_pool) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    if (buf_pool->old == NULL) {
        const doca_error_t result = old.doca_bufpool_create(
                &buf_pool->user_data, buf_pool->num_elements, 0, buf_pool->element_size, buf_pool->element_alignment,
                buf_pool->mmap, &buf_pool->old);
        if (result != DOCA_SUCCESS) {
            buf_pool->old = NULL;
            return result;
        }
    }
    const doca_error_t result = old.doca_bufpool_start(buf_pool->old);
    buf_pool->started |= result == DOCA_SUCCESS;
    return result;
}

doca_error_t
doca_buf_pool_stop(struct doca_buf_pool *buf_pool) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    if (!buf_pool->started) {
        return DOCA_SUCCESS;
    }
    /* With allocated bufs the old SDK returns SUCCESS, and does not stop. */
    uint32_t num_free;
    doca_error_t result = old.doca_bufpool_get_num_free_elements(buf_pool->old, &num_free);
    if (result == DOCA_SUCCESS && num_free != buf_pool->num_elements) {
        return REFUSE(DOCA_ERROR_IN_USE, "Buf pool %p: Failed to stop: %zu bufs are allocated", (void *)buf_pool,
                      buf_pool->num_elements - num_free);
    }
    if (result == DOCA_SUCCESS) {
        result = old.doca_bufpool_stop(buf_pool->old);
    }
    buf_pool->started = result != DOCA_SUCCESS;
    return result;
}

/* The old SDK does not check that a pool is started, and returns NO_MEMORY when it is empty. */
doca_error_t
doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    if (!buf_pool->started) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "Buf pool %p: Failed to allocate a buf: is not started", (void *)buf_pool);
    }
    const doca_error_t result = old.doca_bufpool_buf_alloc(buf_pool->old, buf);
    return result == DOCA_ERROR_NO_MEMORY ? DOCA_ERROR_EMPTY : result;
}

doca_error_t
doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool, size_t element_alignment) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    if (element_alignment == 0 || (element_alignment & (element_alignment - 1)) != 0) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf pool %p: Invalid input: an alignment of %zu", (void *)buf_pool,
                      element_alignment);
    }
    if (buf_pool->old != NULL) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "Buf pool %p: Failed to set the alignment: was started", (void *)buf_pool);
    }
    buf_pool->element_alignment = element_alignment;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool, size_t *element_alignment) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    *element_alignment = buf_pool->element_alignment;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool, uint32_t *num_of_elements) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    *num_of_elements = (uint32_t)buf_pool->num_elements;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    if (buf_pool->old == NULL) {
        *num_of_free_elements = (uint32_t)buf_pool->num_elements;
        return DOCA_SUCCESS;
    }
    return old.doca_bufpool_get_num_free_elements(buf_pool->old, num_of_free_elements);
}

doca_error_t
doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    buf_pool->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool, union doca_data *user_data) {
    if (buf_pool == NULL) {
        return REFUSE_NULL(buf_pool);
    }
    *user_data = buf_pool->user_data;
    return DOCA_SUCCESS;
}
