/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of memory maps, inventories and buffers that are more than renamed functions of the old SDK. */
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "old_sdk.h"
#include "refuse.h"

doca_error_t
doca_mmap_create(struct doca_mmap **mmap) {
    return old.doca_mmap_create(NULL, mmap);
}

doca_error_t
doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory) {
    return old.doca_buf_inventory_create(NULL, num_elements, 0, inventory);
}

static doca_error_t
ask(doca_error_t (*question)(const struct doca_buf *buf, bool *answer), const struct doca_buf *buf, uint8_t *answer) {
    if (answer == NULL) {
        return REFUSE_NULL(answer);
    }
    bool flag = false;
    const doca_error_t result = question(buf, &flag);
    if (result == DOCA_SUCCESS) {
        *answer = flag;
    }
    return result;
}

doca_error_t
doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first) {
    return ask(old.doca_buf_list_is_first, buf, is_first);
}

doca_error_t
doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last) {
    return ask(old.doca_buf_list_is_last, buf, is_last);
}
