/* SPDX-License-Identifier: Apache-2.0 */
/* Exports: the descriptor of the only chunk. */
#include <stdlib.h>
#include <string.h>

#include <core_mmap.h>

#include "common/sdk_log.h"
#include "workq/1.x/common/mmap.h"

/* A map can be exported once, and only a map of one chunk could be imported. */
static doca_error_t
check_exportable(const struct doca_mmap *mmap) {
    if (mmap->is_imported || mmap->is_exported || mmap->num_chunks != 1) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to export: %s", mmap,
                          mmap->is_imported   ? "is imported"
                          : mmap->is_exported ? "was exported before"
                                              : "does not have exactly one chunk");
    }
    return DOCA_SUCCESS;
}

doca_error_t
chunk_mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len) {
    const void *descriptor;
    size_t len;
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (export_desc == NULL || export_desc_len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: no place for the export", mmap);
    }
    doca_error_t result = check_exportable(mmap);
    result = result == DOCA_SUCCESS ? core_mmap_export_pci(mmap->chunks[0].core, dev, &descriptor, &len) : result;
    if (result != DOCA_SUCCESS) {
        return result;
    }
    void *copy = malloc(len);
    if (copy == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    memcpy(copy, descriptor, len);
    mmap->is_exported = true;
    *export_desc = copy;
    *export_desc_len = len;
    return DOCA_SUCCESS;
}

/* Makes the core's map the only chunk. */
static doca_error_t
adopt(struct doca_mmap *mmap, struct doca_mmap *core) {
    void *addr;
    size_t len;
    const doca_error_t result = core_mmap_get_memrange(core, &addr, &len);
    return result == DOCA_SUCCESS ? chunk_mmap_add(mmap, addr, len, core) : result;
}

doca_error_t
chunk_mmap_import(const union doca_data *user_data, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
                  struct doca_mmap **mmap) {
    struct doca_mmap *core;
    struct doca_mmap *created;
    if (mmap == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: mmap is NULL");
    }
    doca_error_t result = chunk_mmap_create(user_data, &created);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = core_mmap_create_from_export(NULL, export_desc, export_desc_len, dev, &core);
    if (result == DOCA_SUCCESS) {
        result = adopt(created, core);
        if (result != DOCA_SUCCESS) {
            (void)core_mmap_destroy(core);
        }
    }
    if (result != DOCA_SUCCESS) {
        (void)doca_mmap_destroy(created);
        return result;
    }
    created->is_imported = true;
    created->is_started = true;
    *mmap = created;
    return DOCA_SUCCESS;
}
