/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_buf_pool.h>

#include "buf_owner.h"
#include "property.h"
#include "sdk_log.h"
#include "settings.h"

struct doca_buf_pool {
    struct buf_owner owner;
    struct doca_mmap *mmap;
    size_t element_size;
    size_t element_alignment;
    /* Set by start: the address of the first element and the distance between two of them. */
    uint8_t *first_element;
    size_t stride;
};

static struct object_class buf_pool_class = OBJECT_CLASS("buf pool", struct doca_buf_pool);

/*
 * Life
 */

doca_error_t
doca_buf_pool_create(
        size_t num_elements, size_t element_size, const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (num_elements == 0 || element_size == 0 || buf_pool == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: a buf pool of %zu elements of %zu bytes at %p",
                          num_elements, element_size, buf_pool);
    }
    struct doca_buf_pool *created = object_create(&buf_pool_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = buf_owner_add(&created->owner, num_elements);
    if (result != DOCA_SUCCESS) {
        object_destroy(&buf_pool_class, created);
        return SDK_REFUSE(result, "No memory for a buf pool of %zu elements", num_elements);
    }
    created->owner.strict = emulator_settings()->strict;
    /* The buffers count as users of the map. */
    created->mmap = (struct doca_mmap *)mmap;
    created->element_size = element_size;
    created->element_alignment = 1;
    *buf_pool = created;
    SDK_LOG_INFO("Buf pool %p: was created with %zu elements of %zu bytes", created, num_elements, element_size);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_start(struct doca_buf_pool *buf_pool) {
    if (!IS_LIVE(buf_pool_class, buf_pool) || !IS_LIVE(mmap_class, buf_pool->mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const struct doca_mmap *mmap = buf_pool->mmap;
    if (!mmap_is_started(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf pool %p: Failed to start: mmap %p is not started", buf_pool,
                          mmap);
    }
    const size_t mask = buf_pool->element_alignment - 1;
    const size_t skipped = -(uintptr_t)mmap->addr & mask;
    const size_t stride = (buf_pool->element_size + mask) & ~mask;
    const size_t num_elements = buf_pool->owner.num_elements;
    /* The last element needs no padding after it. */
    if (stride < buf_pool->element_size || skipped > mmap->len || buf_pool->element_size > mmap->len - skipped ||
        (mmap->len - skipped - buf_pool->element_size) / stride < num_elements - 1) {
        return SDK_REFUSE(DOCA_ERROR_INITIALIZATION,
                          "Buf pool %p: Failed to start: %zu elements of %zu bytes, aligned to %zu, leave the %zu "
                          "bytes of mmap %p",
                          buf_pool, num_elements, buf_pool->element_size, buf_pool->element_alignment, mmap->len,
                          mmap);
    }
    buf_pool->first_element = mmap->addr + skipped;
    buf_pool->stride = stride;
    buf_pool->owner.started = true;
    SDK_LOG_INFO("Buf pool %p: was started", buf_pool);
    return DOCA_SUCCESS;
}

static doca_error_t
check_all_returned(const struct doca_buf_pool *buf_pool, const char *what) {
    const uint32_t num_taken = buf_owner_num_taken(&buf_pool->owner);
    if (num_taken > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Buf pool %p: Failed to %s: %u elements were not returned", buf_pool,
                          what, num_taken);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_stop(struct doca_buf_pool *buf_pool) {
    if (!IS_LIVE(buf_pool_class, buf_pool)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    /* Release 2.2 returns success and continues. */
    if (buf_owner_num_taken(&buf_pool->owner) > 0 && emulator_release_is_at_most(EMULATOR_RELEASE_2_2)) {
        return DOCA_SUCCESS;
    }
    const doca_error_t result = check_all_returned(buf_pool, "stop");
    if (result == DOCA_SUCCESS) {
        buf_pool->owner.started = false;
        SDK_LOG_INFO("Buf pool %p: was stopped", buf_pool);
    }
    return result;
}

doca_error_t
doca_buf_pool_destroy(struct doca_buf_pool *buf_pool) {
    if (!IS_LIVE(buf_pool_class, buf_pool)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_all_returned(buf_pool, "destroy");
    if (result == DOCA_SUCCESS) {
        buf_owner_free_chunks(&buf_pool->owner);
        object_destroy(&buf_pool_class, buf_pool);
        SDK_LOG_INFO("Buf pool %p: was destroyed", buf_pool);
    }
    return result;
}

/*
 * Buffers
 */

doca_error_t
doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf) {
    if (!IS_LIVE(buf_pool_class, buf_pool) || !IS_LIVE(mmap_class, buf_pool->mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (buf == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf pool %p: Invalid input: buf is NULL", buf_pool);
    }
    if (!buf_pool->owner.started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf pool %p: Failed to take a buf: is not started", buf_pool);
    }
    if (buf_pool->owner.num_free == 0) {
        return SDK_REFUSE(DOCA_ERROR_EMPTY, "Buf pool %p: all %u elements are taken", buf_pool,
                          buf_pool->owner.num_elements);
    }
    /* A pool has one chunk, and the index of an element in it determines its address. */
    const size_t index = (size_t)(buf_pool->owner.free - (struct doca_buf *)buf_pool->owner.chunks->elements);
    uint8_t *element = buf_pool->first_element + index * buf_pool->stride;
    *buf = buf_owner_take(&buf_pool->owner, buf_pool->mmap, element, buf_pool->element_size, element, 0);
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

doca_error_t
doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool, size_t element_alignment) {
    if (!IS_LIVE(buf_pool_class, buf_pool)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (element_alignment == 0 || (element_alignment & (element_alignment - 1)) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf pool %p: Invalid input: an alignment of %zu", buf_pool,
                          element_alignment);
    }
    if (buf_pool->owner.started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf pool %p: Failed to set the alignment: is started", buf_pool);
    }
    buf_pool->element_alignment = element_alignment;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data) {
    if (!IS_LIVE(buf_pool_class, buf_pool)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (buf_pool->owner.started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf pool %p: Failed to set user data: is started", buf_pool);
    }
    buf_pool->owner.user_data = user_data;
    return DOCA_SUCCESS;
}

#include <getters/buf_pool.h>
