/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of buffers and inventories with the parameters of release 1.4. Its buffers have no data segment. */
#include <core_buf.h>
#include <core_buf_inventory.h>
#include <doca_buf.h>

#include "common/sdk_log.h"
#include "workq/1.x/common/mmap.h"

doca_error_t
doca_buf_inventory_create(const char *name, size_t num_elements, uint32_t extensions,
                          struct doca_buf_inventory **buf_inventory) {
    (void)name;
    if (extensions != DOCA_BUF_EXTENSION_NONE) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: extensions %#x of buffers, must be 0", extensions);
    }
    return core_buf_inventory_create(num_elements, buf_inventory);
}

doca_error_t
doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, char *addr, size_t len,
                               struct doca_buf **buf) {
    return chunk_mmap_take_buf(inventory, mmap, addr, len, addr, 0, buf);
}

doca_error_t
doca_buf_head_get(struct doca_buf *buf, uint8_t **head) {
    void *address;
    const doca_error_t result = core_buf_get_head(buf, head == NULL ? NULL : &address);
    if (result == DOCA_SUCCESS) {
        *head = address;
    }
    return result;
}
