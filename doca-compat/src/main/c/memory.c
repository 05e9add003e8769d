/* SPDX-License-Identifier: Apache-2.0 */
/* Memory maps, inventories and buffers: renamed functions of the old SDK. */
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_mmap.h>

#include "old_sdk.h"
#include "refuse.h"

/*
 * Memory maps
 */

doca_error_t
doca_mmap_create(struct doca_mmap **mmap) {
    return old.doca_mmap_create(NULL, mmap);
}

doca_error_t
doca_mmap_create_from_export(
        const union doca_data *user_data, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
        struct doca_mmap **mmap) {
    return old.doca_mmap_create_from_export(user_data, export_desc, export_desc_len, dev, mmap);
}

doca_error_t
doca_mmap_destroy(struct doca_mmap *mmap) {
    return old.doca_mmap_destroy(mmap);
}

doca_error_t
doca_mmap_start(struct doca_mmap *mmap) {
    return old.doca_mmap_start(mmap);
}

doca_error_t
doca_mmap_stop(struct doca_mmap *mmap) {
    return old.doca_mmap_stop(mmap);
}

doca_error_t
doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev) {
    return old.doca_mmap_dev_add(mmap, dev);
}

doca_error_t
doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev) {
    return old.doca_mmap_dev_rm(mmap, dev);
}

doca_error_t
doca_mmap_export_pci(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len) {
    return old.doca_mmap_export_dpu(mmap, dev, export_desc, export_desc_len);
}

doca_error_t
doca_mmap_export_rdma(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len) {
    return old.doca_mmap_export_rdma(mmap, dev, export_desc, export_desc_len);
}

/* The flags have the same values, unlike those of release 1.5. */
doca_error_t
doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask) {
    return old.doca_mmap_set_permissions(mmap, access_mask);
}

doca_error_t
doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len) {
    return old.doca_mmap_set_memrange(mmap, addr, len);
}

doca_error_t
doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices) {
    return old.doca_mmap_set_max_num_devices(mmap, max_num_devices);
}

doca_error_t
doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque) {
    return old.doca_mmap_set_free_cb(mmap, free_cb, opaque);
}

doca_error_t
doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len) {
    return old.doca_mmap_get_memrange(mmap, addr, len);
}

doca_error_t
doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices) {
    return old.doca_mmap_get_max_num_devices((struct doca_mmap *)mmap, max_num_devices);
}

doca_error_t
doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs) {
    return old.doca_mmap_get_num_bufs((struct doca_mmap *)mmap, num_bufs);
}

doca_error_t
doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported) {
    return old.doca_mmap_get_exported((struct doca_mmap *)mmap, exported);
}

doca_error_t
doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export) {
    return old.doca_mmap_get_from_export((struct doca_mmap *)mmap, from_export);
}

doca_error_t
doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *mmap_export) {
    return old.doca_devinfo_get_is_mmap_export_dpu_supported(devinfo, mmap_export);
}

doca_error_t
doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *from_export) {
    return old.doca_devinfo_get_is_mmap_from_export_dpu_supported(devinfo, from_export);
}

/*
 * Inventories
 */

doca_error_t
doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory) {
    return old.doca_buf_inventory_create(NULL, num_elements, 0, inventory);
}

doca_error_t
doca_buf_inventory_destroy(struct doca_buf_inventory *inventory) {
    return old.doca_buf_inventory_destroy(inventory);
}

doca_error_t
doca_buf_inventory_start(struct doca_buf_inventory *inventory) {
    return old.doca_buf_inventory_start(inventory);
}

doca_error_t
doca_buf_inventory_stop(struct doca_buf_inventory *inventory) {
    return old.doca_buf_inventory_stop(inventory);
}

doca_error_t
doca_buf_inventory_buf_get_by_args(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data,
        size_t data_len, struct doca_buf **buf) {
    return old.doca_buf_inventory_buf_by_args(inventory, mmap, addr, len, data, data_len, buf);
}

doca_error_t
doca_buf_inventory_buf_dup(
        struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf) {
    return old.doca_buf_inventory_buf_dup(inventory, src_buf, dst_buf);
}

doca_error_t
doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory, uint32_t *num_of_elements) {
    return old.doca_buf_inventory_get_num_elements((struct doca_buf_inventory *)inventory, num_of_elements);
}

doca_error_t
doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements) {
    return old.doca_buf_inventory_get_num_free_elements((struct doca_buf_inventory *)inventory, num_of_free_elements);
}

/*
 * Buffers
 */

doca_error_t
doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount) {
    return old.doca_buf_refcount_add(buf, refcount);
}

doca_error_t
doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount) {
    return old.doca_buf_refcount_rm(buf, refcount);
}

doca_error_t
doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount) {
    return old.doca_buf_get_refcount((struct doca_buf *)buf, refcount);
}

doca_error_t
doca_buf_get_head(const struct doca_buf *buf, void **head) {
    return old.doca_buf_get_head(buf, head);
}

doca_error_t
doca_buf_get_len(const struct doca_buf *buf, size_t *len) {
    return old.doca_buf_get_len(buf, len);
}

doca_error_t
doca_buf_get_data(const struct doca_buf *buf, void **data) {
    return old.doca_buf_get_data(buf, data);
}

doca_error_t
doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len) {
    return old.doca_buf_get_data_len(buf, data_len);
}

doca_error_t
doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len) {
    return old.doca_buf_set_data(buf, data, data_len);
}

doca_error_t
doca_buf_reset_data_len(struct doca_buf *buf) {
    return old.doca_buf_reset_data_len(buf);
}

/*
 * Lists
 */

doca_error_t
doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2) {
    return old.doca_buf_list_chain(list1, list2);
}

doca_error_t
doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2) {
    return old.doca_buf_list_unchain(list1, list2);
}

doca_error_t
doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements) {
    return old.doca_buf_list_num_elements(buf, num_elements);
}

doca_error_t
doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf) {
    return old.doca_buf_list_next(buf, next_buf);
}

doca_error_t
doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf) {
    return old.doca_buf_list_last(buf, last_buf);
}

doca_error_t
doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list) {
    return old.doca_buf_is_in_list(buf, is_in_list);
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
