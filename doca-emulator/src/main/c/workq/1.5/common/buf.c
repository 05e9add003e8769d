/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of buffers and inventories that differ from those of the core. */
#include <core_buf.h>
#include <core_buf_inventory.h>
#include <core_rdma_bridge.h>
#include <doca_buf.h>
#include <doca_buf_inventory.h>

#include "common/sdk_log.h"
#include "workq/1.x/common/mmap.h"

doca_error_t
doca_buf_inventory_create(const union doca_data *user_data, size_t num_elements, uint32_t extensions,
                          struct doca_buf_inventory **buf_inventory) {
    if (extensions > DOCA_BUF_EXTENSION_LINKED_LIST) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: extensions %#x of buffers, must be 0 or 1", extensions);
    }
    const doca_error_t result = core_buf_inventory_create(num_elements, buf_inventory);
    return result == DOCA_SUCCESS && user_data != NULL ? core_buf_inventory_set_user_data(*buf_inventory, *user_data)
                                                       : result;
}

doca_error_t
doca_buf_inventory_buf_by_args(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
                               void *data, size_t data_len, struct doca_buf **buf) {
    return chunk_mmap_take_buf(inventory, mmap, addr, len, data, data_len, buf);
}

doca_error_t
doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
                               struct doca_buf **buf) {
    return chunk_mmap_take_buf(inventory, mmap, addr, len, addr, 0, buf);
}

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

/* Returns the same key for all kinds of access. */
doca_error_t
doca_buf_get_lkey(const struct doca_buf *buf, struct doca_dev *dev, uint32_t doca_access_flags, uint32_t *lkey) {
    const uint32_t known = DOCA_ACCESS_LOCAL_WRITE | DOCA_ACCESS_REMOTE_WRITE | DOCA_ACCESS_REMOTE_READ |
                           DOCA_ACCESS_REMOTE_ATOMIC;
    if ((doca_access_flags & ~known) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: access flags %#x", doca_access_flags);
    }
    return core_rdma_bridge_get_buf_mkey(buf, dev, lkey);
}
