/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of memory maps, buffers, inventories and pools whose parameters differ from those of the core. */
#include <core_buf.h>
#include <core_buf_array.h>
#include <core_buf_inventory.h>
#include <core_buf_pool.h>
#include <core_mmap.h>
#include <core_types.h>
#include <doca_buf.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_bufpool.h>
#include <doca_mmap.h>

#include "common/sdk_log.h"

static const union doca_data no_user_data;

/* Returns the result, with one error replaced by the corresponding error of this release. */
static doca_error_t
translate(doca_error_t result, doca_error_t error, doca_error_t error_here) {
    return result == error ? error_here : result;
}

/*
 * Memory maps
 */

doca_error_t
doca_mmap_create(const union doca_data *user_data, struct doca_mmap **mmap) {
    const doca_error_t result = core_mmap_create(mmap);
    if (result == DOCA_SUCCESS && user_data != NULL) {
        return core_mmap_set_user_data(*mmap, *user_data);
    }
    return result;
}

doca_error_t
doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask) {
    if ((access_mask & CORE_ACCESS_FLAG_PCI_RELAXED_ORDERING) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: permissions %#x", mmap, access_mask);
    }
    return core_mmap_set_permissions(mmap, access_mask);
}

doca_error_t
doca_mmap_dev_rm(struct doca_mmap *mmap, struct doca_dev *dev) {
    return translate(core_mmap_rm_dev(mmap, dev), DOCA_ERROR_NOT_FOUND, DOCA_ERROR_INVALID_VALUE);
}

doca_error_t
doca_mmap_export_dpu(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
                     size_t *export_desc_len) {
    return translate(core_mmap_export_pci(mmap, dev, export_desc, export_desc_len), DOCA_ERROR_NOT_FOUND,
                     DOCA_ERROR_INVALID_VALUE);
}

doca_error_t
doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
                      size_t *export_desc_len) {
    return translate(core_mmap_export_rdma(mmap, dev, export_desc, export_desc_len), DOCA_ERROR_NOT_FOUND,
                     DOCA_ERROR_INVALID_VALUE);
}

doca_error_t
doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, size_t offset, size_t len) {
    return core_mmap_set_dmabuf_memrange(mmap, dmabuf_fd, NULL, offset, len);
}

/*
 * Buffers
 */

doca_error_t
doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first) {
    uint8_t value;
    const doca_error_t result = core_buf_is_first_in_list(buf, is_first == NULL ? NULL : &value);
    if (result == DOCA_SUCCESS) {
        *is_first = value != 0;
    }
    return result;
}

doca_error_t
doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last) {
    uint8_t value;
    const doca_error_t result = core_buf_is_last_in_list(buf, is_last == NULL ? NULL : &value);
    if (result == DOCA_SUCCESS) {
        *is_last = value != 0;
    }
    return result;
}

/*
 * Inventories and pools
 */

doca_error_t
doca_buf_inventory_create(const union doca_data *user_data, size_t num_elements, uint32_t extensions,
                          struct doca_buf_inventory **buf_inventory) {
    if (extensions != DOCA_BUF_EXTENSION_NONE) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: extensions %#x of buffers, must be 0", extensions);
    }
    const doca_error_t result = core_buf_inventory_create(num_elements, buf_inventory);
    return result == DOCA_SUCCESS && user_data != NULL ? core_buf_inventory_set_user_data(*buf_inventory, *user_data)
                                                       : result;
}

doca_error_t
doca_buf_inventory_destroy(struct doca_buf_inventory *inventory) {
    return translate(core_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE, DOCA_ERROR_NOT_PERMITTED);
}

doca_error_t
doca_bufpool_buf_alloc(struct doca_bufpool *bufpool, struct doca_buf **buf) {
    return translate(core_buf_pool_buf_alloc(bufpool, buf), DOCA_ERROR_EMPTY, DOCA_ERROR_NO_MEMORY);
}

/* Returns INVALID_VALUE if the map has no room for the buffers. A map without a range is refused later. */
static doca_error_t
check_room(const struct doca_mmap *mmap, size_t num_elements, size_t element_size) {
    void *addr;
    size_t len;
    if (element_size == 0 || core_mmap_get_memrange(mmap, &addr, &len) != DOCA_SUCCESS ||
        num_elements <= len / element_size) {
        return DOCA_SUCCESS;
    }
    return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: has no room for %zu buffers of %zu bytes", mmap, num_elements,
                      element_size);
}

doca_error_t
doca_bufpool_create(const union doca_data *user_data, size_t num_elements, uint32_t extensions, size_t element_size,
                    size_t element_alignment, const struct doca_mmap *mmap, struct doca_bufpool **bufpool) {
    (void)extensions;
    doca_error_t result = check_room(mmap, num_elements, element_size);
    if (result == DOCA_SUCCESS) {
        result = core_buf_pool_create(num_elements, element_size, mmap, bufpool);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = core_buf_pool_set_element_alignment(*bufpool, element_alignment);
    if (result == DOCA_SUCCESS) {
        result = core_buf_pool_set_user_data(*bufpool, user_data == NULL ? no_user_data : *user_data);
    }
    if (result != DOCA_SUCCESS) {
        (void)core_buf_pool_destroy(*bufpool);
    }
    return result;
}

/*
 * Arrays, for which there is neither a DPA nor a GPU
 */

doca_error_t
doca_buf_arr_create(struct doca_mmap *mmap, struct doca_buf_arr **buf_arr) {
    uint32_t num_bufs;
    const doca_error_t result = core_mmap_get_num_bufs(mmap, &num_bufs);
    return result != DOCA_SUCCESS ? result : core_buf_arr_create(1, buf_arr);
}

doca_error_t
doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem, uint32_t start_offset) {
    (void)start_offset;
    if (size == 0 || num_elem == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf array %p: Invalid input: %u elements of %zu bytes", buf_arr,
                          num_elem, size);
    }
    /* Succeeds for each array, as none can be started. */
    return core_buf_arr_stop(buf_arr);
}
