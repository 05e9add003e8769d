/* SPDX-License-Identifier: Apache-2.0 */
/* Exports: the concatenated descriptors of all chunks. */
#include <stdlib.h>
#include <string.h>

#include <core_mmap.h>

#include "common/sdk_log.h"
#include "workq/1.5/common/mmap.h"

#define MAGIC "DOCAEMUP"
#define MAGIC_SIZE 8

/* The header of an export. Each descriptor follows, preceded by its length. */
struct export_header {
    char magic[MAGIC_SIZE];
    uint32_t num_chunks;
};

/* Appends the descriptor to an export of *size bytes, which may be reallocated. */
static doca_error_t
append(uint8_t **export, size_t *size, const void *descriptor, size_t len) {
    const uint32_t prefix = (uint32_t)len;
    uint8_t *grown = realloc(*export, *size + sizeof(prefix) + len);
    if (grown == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    memcpy(grown + *size, &prefix, sizeof(prefix));
    memcpy(grown + *size + sizeof(prefix), descriptor, len);
    *export = grown;
    *size += sizeof(prefix) + len;
    return DOCA_SUCCESS;
}

static doca_error_t
append_chunks(const struct doca_mmap *mmap, const struct doca_dev *dev, uint8_t **export, size_t *size) {
    doca_error_t result = DOCA_SUCCESS;
    for (uint32_t i = 0; i < mmap->num_chunks && result == DOCA_SUCCESS; i++) {
        const void *descriptor;
        size_t len;
        result = core_mmap_export_pci(mmap->chunks[i].core, dev, &descriptor, &len);
        result = result == DOCA_SUCCESS ? append(export, size, descriptor, len) : result;
    }
    return result;
}

/* The program owns the export and frees it. */
doca_error_t
doca_mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (export_desc == NULL || export_desc_len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: no place for the export", mmap);
    }
    if (mmap->num_chunks == 0 || mmap->is_imported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to export: %s", mmap,
                          mmap->is_imported ? "is imported" : "has no chunks");
    }
    struct export_header header = {.num_chunks = mmap->num_chunks};
    memcpy(header.magic, MAGIC, MAGIC_SIZE);
    size_t size = sizeof(header);
    uint8_t *export = malloc(size);
    if (export == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    memcpy(export, &header, sizeof(header));
    const doca_error_t result = append_chunks(mmap, dev, &export, &size);
    if (result != DOCA_SUCCESS) {
        free(export);
        return result;
    }
    mmap->is_exported = true;
    *export_desc = export;
    *export_desc_len = size;
    return DOCA_SUCCESS;
}

static doca_error_t
import_chunk(struct doca_mmap *mmap, const void *descriptor, size_t len, struct doca_dev *dev) {
    struct doca_mmap *core;
    void *addr;
    size_t range;
    doca_error_t result = core_mmap_create_from_export(NULL, descriptor, len, dev, &core);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = core_mmap_get_memrange(core, &addr, &range);
    result = result == DOCA_SUCCESS ? chunk_mmap_add(mmap, addr, range, core) : result;
    if (result != DOCA_SUCCESS) {
        (void)core_mmap_destroy(core);
    }
    return result;
}

static doca_error_t
refuse_export(void) {
    return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Failed to import: that is no export of a memory map, or is damaged");
}

/* Imports all descriptors, which must fill the bytes exactly. */
static doca_error_t
import_chunks(struct doca_mmap *mmap, const uint8_t *bytes, size_t len, struct doca_dev *dev) {
    doca_error_t result = DOCA_SUCCESS;
    for (uint32_t i = 0; i < mmap->max_num_chunks && result == DOCA_SUCCESS; i++) {
        uint32_t size;
        if (len < sizeof(size)) {
            return refuse_export();
        }
        memcpy(&size, bytes, sizeof(size));
        if (size > len - sizeof(size)) {
            return refuse_export();
        }
        result = import_chunk(mmap, bytes + sizeof(size), size, dev);
        bytes += sizeof(size) + size;
        len -= sizeof(size) + size;
    }
    return result == DOCA_SUCCESS && len > 0 ? refuse_export() : result;
}

doca_error_t
doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
                             struct doca_dev *dev, struct doca_mmap **mmap) {
    struct export_header header;
    if (export_desc == NULL || dev == NULL || mmap == NULL || export_desc_len < sizeof(header)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Failed to import: %zu bytes at %p, device %p", export_desc_len,
                          export_desc, dev);
    }
    memcpy(&header, export_desc, sizeof(header));
    if (memcmp(header.magic, MAGIC, MAGIC_SIZE) != 0 || header.num_chunks == 0) {
        return refuse_export();
    }
    struct doca_mmap *created = chunk_mmap_create(user_data);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->max_num_chunks = header.num_chunks;
    const doca_error_t result = import_chunks(created, (const uint8_t *)export_desc + sizeof(header),
                                              export_desc_len - sizeof(header), dev);
    if (result != DOCA_SUCCESS) {
        (void)doca_mmap_destroy(created);
        return result;
    }
    created->is_imported = true;
    created->is_started = true;
    *mmap = created;
    return DOCA_SUCCESS;
}
