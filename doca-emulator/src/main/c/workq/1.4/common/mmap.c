/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of memory maps with the parameters of release 1.4. Names of objects are not used. An export is a JSON text, from which
 * programs read the range; the core's descriptor is one of its members.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sdk_log.h"
#include "workq/1.x/common/mmap.h"

#define DESCRIPTOR "\"descriptor\":\""
#define END "\"}"

doca_error_t
doca_mmap_create(const char *name, struct doca_mmap **mmap) {
    (void)name;
    return chunk_mmap_create(NULL, mmap);
}

doca_error_t
doca_mmap_populate(struct doca_mmap *mmap, char *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb,
                   void *opaque) {
    return chunk_mmap_populate(mmap, addr, len, pg_sz, free_cb, opaque);
}

/*
 * Exports
 */

/* Returns the JSON text of the only chunk and its descriptor. Returns NULL without memory. */
static uint8_t *
write_export(const struct chunk *chunk, const uint8_t *descriptor, size_t descriptor_len, size_t *export_len) {
    char *text = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&text, &len);
    if (stream == NULL) {
        return NULL;
    }
    fprintf(stream, "{\"addr\":%" PRIuPTR ",\"len\":%zu," DESCRIPTOR, (uintptr_t)chunk->addr, chunk->len);
    for (size_t i = 0; i < descriptor_len; i++) {
        fprintf(stream, "%02x", descriptor[i]);
    }
    fputs(END, stream);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    *export_len = len + 1;
    return (uint8_t *)text;
}

doca_error_t
doca_mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev, uint8_t **export_desc, size_t *export_desc_len) {
    void *descriptor;
    size_t len;
    if (export_desc == NULL || export_desc_len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: no place for the export", mmap);
    }
    const doca_error_t result = chunk_mmap_export(mmap, dev, &descriptor, &len);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    uint8_t *text = write_export(&mmap->chunks[0], descriptor, len, export_desc_len);
    free(descriptor);
    *export_desc = text == NULL ? *export_desc : text;
    return text == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

/* Replaces the digits of an export by the bytes of its descriptor. Returns their number, or 0 if the text is not an export. */
static size_t
read_descriptor(char *text) {
    const char *begin = strstr(text, DESCRIPTOR);
    if (begin == NULL) {
        return 0;
    }
    begin += sizeof(DESCRIPTOR) - 1;
    const size_t num_digits = strspn(begin, "0123456789abcdef");
    if (num_digits % 2 != 0 || strcmp(begin + num_digits, END) != 0) {
        return 0;
    }
    for (size_t i = 0; i < num_digits / 2; i++) {
        const char byte[3] = {begin[2 * i], begin[2 * i + 1], '\0'};
        text[i] = (char)strtoul(byte, NULL, 16);
    }
    return num_digits / 2;
}

doca_error_t
doca_mmap_create_from_export(const char *name, const uint8_t *export_desc, size_t export_desc_len, struct doca_dev *dev,
                             struct doca_mmap **mmap) {
    (void)name;
    if (export_desc == NULL || export_desc_len == 0 || export_desc[export_desc_len - 1] != '\0') {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: the export does not end with NUL");
    }
    char *text = malloc(export_desc_len);
    if (text == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    memcpy(text, export_desc, export_desc_len);
    const size_t len = read_descriptor(text);
    const doca_error_t result =
            len == 0 ? SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: the text was not made by doca_mmap_export() of release 1.4")
                     : chunk_mmap_import(NULL, text, len, dev, mmap);
    free(text);
    return result;
}

/*
 * Properties
 */

static doca_error_t
check_property(const struct doca_mmap *mmap, enum doca_mmap_property property, const uint8_t *value, uint32_t size) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (property != DOCA_MMAP_MAX_NUM_CHUNKS) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Mmap %p: the emulator does not know property %d", mmap, (int)property);
    }
    if (value == NULL || size != sizeof(mmap->max_num_chunks)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: value %p of %u bytes, must have %zu", mmap, value, size,
                          sizeof(mmap->max_num_chunks));
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_property_get(struct doca_mmap *mmap, enum doca_mmap_property property, uint8_t *value, uint32_t size) {
    const doca_error_t result = check_property(mmap, property, value, size);
    if (result == DOCA_SUCCESS) {
        memcpy(value, &mmap->max_num_chunks, size);
    }
    return result;
}

doca_error_t
doca_mmap_property_set(struct doca_mmap *mmap, enum doca_mmap_property property, const uint8_t *value, uint32_t size) {
    uint32_t max_num_chunks;
    const doca_error_t result = check_property(mmap, property, value, size);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    memcpy(&max_num_chunks, value, sizeof(max_num_chunks));
    return chunk_mmap_set_limit(mmap, &mmap->max_num_chunks, max_num_chunks, "set max_num_chunks");
}
