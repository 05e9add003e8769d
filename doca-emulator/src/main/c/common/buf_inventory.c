/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_buf_inventory.h>

#include "buf_owner.h"
#include "property.h"
#include "sdk_log.h"
#include "settings.h"

struct doca_buf_inventory {
    struct buf_owner owner;
};

static struct object_class buf_inventory_class = OBJECT_CLASS("buf inventory", struct doca_buf_inventory);

/*
 * Life
 */

doca_error_t
doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory) {
    if (num_elements == 0 || inventory == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: a buf inventory of %zu elements at %p",
                          num_elements, inventory);
    }
    struct doca_buf_inventory *created = object_create(&buf_inventory_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = buf_owner_add(&created->owner, num_elements);
    if (result != DOCA_SUCCESS) {
        object_destroy(&buf_inventory_class, created);
        return SDK_REFUSE(result, "No memory for a buf inventory of %zu elements", num_elements);
    }
    created->owner.strict = emulator_settings()->strict;
    created->owner.aims_freely = true;
    *inventory = created;
    SDK_LOG_INFO("Buf inventory %p: was created with %zu elements", created, num_elements);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_start(struct doca_buf_inventory *inventory) {
    if (!IS_LIVE(buf_inventory_class, inventory)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    inventory->owner.started = true;
    SDK_LOG_INFO("Buf inventory %p: was started", inventory);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_stop(struct doca_buf_inventory *inventory) {
    if (!IS_LIVE(buf_inventory_class, inventory)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    inventory->owner.started = false;
    SDK_LOG_INFO("Buf inventory %p: was stopped", inventory);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_destroy(struct doca_buf_inventory *inventory) {
    if (!IS_LIVE(buf_inventory_class, inventory)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const uint32_t num_taken = buf_owner_num_taken(&inventory->owner);
    if (num_taken > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Buf inventory %p: Failed to destroy: %u elements were not returned",
                          inventory, num_taken);
    }
    buf_owner_free_chunks(&inventory->owner);
    object_destroy(&buf_inventory_class, inventory);
    SDK_LOG_INFO("Buf inventory %p: was destroyed", inventory);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements) {
    if (!IS_LIVE(buf_inventory_class, inventory)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (num_elements == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf inventory %p: Invalid input: 0 more elements", inventory);
    }
    if (!inventory->owner.started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf inventory %p: Failed to expand: is not started", inventory);
    }
    const doca_error_t result = buf_owner_add(&inventory->owner, num_elements);
    if (result != DOCA_SUCCESS) {
        return SDK_REFUSE(result, "Buf inventory %p: No memory for %u more elements", inventory, num_elements);
    }
    return DOCA_SUCCESS;
}

/*
 * Buffers
 */

/* The SDK does not make this check. */
static doca_error_t
check_started(const struct doca_buf_inventory *inventory, const struct doca_mmap *mmap) {
    if (!inventory->owner.started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf inventory %p: Failed to take a buf: is not started", inventory);
    }
    if (!mmap_is_started(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf inventory %p: Failed to take a buf: mmap %p is not started",
                          inventory, mmap);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_place(const struct doca_mmap *mmap, const void *addr, size_t len) {
    const bool is_at_end = len == 0 && (uintptr_t)addr - (uintptr_t)mmap->addr == mmap->len;
    if (!mmap_contains(mmap, addr, len) || (is_at_end && emulator_release_is_at_most(EMULATOR_RELEASE_2_2))) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: a buf of %zu bytes at %p leaves its %zu bytes at %p",
                          mmap, len, addr, mmap->len, mmap->addr);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_range(const struct doca_mmap *mmap, const void *addr, size_t len, const void *data, size_t data_len) {
    const doca_error_t result = check_place(mmap, addr, len);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!buf_range_contains(addr, len, data, data_len)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: %zu bytes of data at %p leave a buf of %zu bytes at %p",
                          mmap, data_len, data, len, addr);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr,
                                   size_t len, void *data, size_t data_len, struct doca_buf **buf) {
    if (!IS_LIVE(buf_inventory_class, inventory) || !IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (addr == NULL || data == NULL || buf == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf inventory %p: Invalid input: addr %p, data %p, buf %p",
                          inventory, addr, data, buf);
    }
    doca_error_t result = inventory->owner.strict ? check_started(inventory, mmap) : DOCA_SUCCESS;
    if (result == DOCA_SUCCESS && inventory->owner.strict) {
        result = check_range(mmap, addr, len, data, data_len);
    } else if (result == DOCA_SUCCESS && emulator_release_is_at_most(EMULATOR_RELEASE_2_2)) {
        result = check_place(mmap, addr, len);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (inventory->owner.num_free == 0) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Buf inventory %p: all %u elements are taken", inventory,
                          inventory->owner.num_elements);
    }
    *buf = buf_owner_take(&inventory->owner, mmap, addr, len, data, data_len);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr, size_t len, void *data, size_t data_len) {
    if (!IS_LIVE(buf_class, buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (addr == NULL || data == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf %p: Invalid input: addr %p, data %p", buf, addr, data);
    }
    if (!buf->owner->aims_freely) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Buf %p: belongs to a buf pool, which gave it its place", buf);
    }
    if (buf->owner->strict) {
        const doca_error_t result = check_range(buf->mmap, addr, len, data, data_len);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    buf->head = addr;
    buf->len = len;
    buf->data = data;
    buf->data_len = data_len;
    return DOCA_SUCCESS;
}

/* Copies the whole list; there must be enough free elements. */
static struct doca_buf *
duplicate_list(struct buf_owner *owner, const struct doca_buf *list) {
    struct doca_buf *head = NULL;
    for (const struct doca_buf *buf = list; buf != NULL; buf = buf->next) {
        struct doca_buf *copy = buf_owner_take(owner, buf->mmap, buf->head, buf->len, buf->data, buf->data_len);
        if (head == NULL) {
            head = copy;
        } else {
            head->list_tail->next = copy;
            head->list_tail = copy;
            copy->list_head = head;
        }
    }
    return head;
}

doca_error_t
doca_buf_inventory_buf_dup(
        struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf) {
    if (!IS_LIVE(buf_inventory_class, inventory) || !IS_LIVE(buf_class, src_buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (dst_buf == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf inventory %p: Invalid input: dst_buf is NULL", inventory);
    }
    uint32_t list_len;
    if (src_buf->list_head != src_buf) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Buf %p: is not the head of a list", src_buf);
    }
    doca_error_t result = doca_buf_get_list_len(src_buf, &list_len);
    if (result == DOCA_SUCCESS && inventory->owner.strict) {
        result = check_started(inventory, src_buf->mmap);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (list_len > inventory->owner.num_free) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Buf inventory %p: %u of %u elements are free, %u are needed",
                          inventory, inventory->owner.num_free, inventory->owner.num_elements, list_len);
    }
    *dst_buf = duplicate_list(&inventory->owner, src_buf);
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

doca_error_t
doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory, union doca_data user_data) {
    if (!IS_LIVE(buf_inventory_class, inventory)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    inventory->owner.user_data = user_data;
    return DOCA_SUCCESS;
}

#include <getters/buf_inventory.h>
