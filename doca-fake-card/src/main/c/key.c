/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bits.h"
#include "interface.h"
#include "key.h"
#include "log.h"
#include "memory.h"

/* Keys of keys of keys: no program nests them deeper. */
#define MAX_DEPTH 4

static int transfer(uint32_t number, uint64_t address, uint64_t length, char *buffer, enum card_access access, int depth);

static bool
writes(enum card_access access) {
    return access == CARD_LOCAL_WRITE || access == CARD_REMOTE_WRITE || access == CARD_ATOMIC_WRITE;
}

static bool
is_remote(enum card_access access) {
    return access != CARD_LOCAL_READ && access != CARD_LOCAL_WRITE;
}

static int
refusal(enum card_access access) {
    return is_remote(access) ? MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR : MLX5_CQE_SYNDROME_LOCAL_PROT_ERR;
}

static struct card_key *
find_key(uint32_t key) {
    struct card_key *found = (struct card_key *)card_find_object(CARD_KIND_KEY, key >> 8);
    return found != NULL && found->key == key ? found : NULL;
}

struct mlx5dv_devx_obj *
card_create_key(const void *in, size_t in_size) {
    struct card_key *key = calloc(1, sizeof(*key));
    if (key == NULL) {
        return NULL;
    }
    const uint64_t mode = card_bits(in, CARD_MKEY_MODE_HIGH, 3) << 2 | card_bits(in, CARD_MKEY_MODE_LOW, 2);
    if (mode == CARD_MKEY_MODE_KLM) {
        const size_t given = in_size < CARD_MKEY_TRANSLATION_BYTE
                                 ? 0
                                 : (in_size - CARD_MKEY_TRANSLATION_BYTE) / CARD_KLM_BYTES;
        const size_t used = card_bits(in, CARD_MKEY_TRANSLATIONS, 32);
        key->entry_count = (uint32_t)(used != 0 && used < given ? used : given);
        key->entries = calloc(key->entry_count + 1, CARD_KLM_BYTES);
        if (key->entries == NULL) {
            free(key);
            return NULL;
        }
        memcpy(key->entries, (const char *)in + CARD_MKEY_TRANSLATION_BYTE, (size_t)key->entry_count * CARD_KLM_BYTES);
    }
    key->object.kind = CARD_KIND_KEY;
    key->object.number = card_new_number(CARD_KIND_KEY);
    key->key = key->object.number << 8 | (uint32_t)card_bits(in, CARD_MKEY_VARIANT, 8);
    key->start = card_bits(in, CARD_MKEY_START, 64);
    key->length = card_bits(in, CARD_MKEY_ALL_MEMORY, 1) ? UINT64_MAX - key->start : card_bits(in, CARD_MKEY_LENGTH, 64);
    key->local_write = card_bits(in, CARD_MKEY_LOCAL_WRITE, 1);
    key->remote_read = card_bits(in, CARD_MKEY_REMOTE_READ, 1);
    key->remote_write = card_bits(in, CARD_MKEY_REMOTE_WRITE, 1);
    key->remote_atomic = card_bits(in, CARD_MKEY_ATOMIC, 1);
    key->umem = (uint32_t)card_bits(in, CARD_MKEY_UMEM, 32);
    key->umem_offset = card_bits(in, CARD_MKEY_UMEM_OFFSET, 64);
    card_log(CARD_LOG_COMMANDS, "key %08x: mode %u, 0x%lx bytes at 0x%lx, memory %u, %u entries, %s%s%s%s", key->key,
             (unsigned int)mode, (unsigned long)key->length, (unsigned long)key->start, key->umem, key->entry_count,
             key->local_write ? "local write " : "", key->remote_read ? "remote read " : "",
             key->remote_write ? "remote write " : "", key->remote_atomic ? "remote atomic" : "");
    return &key->object;
}

struct mlx5dv_devx_obj *
card_create_alias(const struct card_export *source) {
    struct card_key *key = calloc(1, sizeof(*key));
    if (key == NULL) {
        return NULL;
    }
    key->object.kind = CARD_KIND_KEY;
    key->object.number = card_new_number(CARD_KIND_KEY);
    key->key = key->object.number << 8;
    key->start = source->start;
    key->length = source->length;
    key->local_write = source->writable;
    key->source = source;
    card_log(CARD_LOG_COMMANDS, "key %08x: 0x%lx bytes at 0x%lx of process %d", key->key, (unsigned long)key->length,
             (unsigned long)key->start, (int)source->process);
    return &key->object;
}

struct mlx5dv_devx_obj *
card_create_region_key(uint32_t umem, uint64_t length, uint64_t start, unsigned int access) {
    struct card_key *key = calloc(1, sizeof(*key));
    if (key == NULL) {
        return NULL;
    }
    key->object.kind = CARD_KIND_KEY;
    key->object.number = card_new_number(CARD_KIND_KEY);
    key->key = key->object.number << 8;
    key->start = start;
    key->length = length;
    key->local_write = (access & IBV_ACCESS_LOCAL_WRITE) != 0;
    key->remote_read = (access & IBV_ACCESS_REMOTE_READ) != 0;
    key->remote_write = (access & IBV_ACCESS_REMOTE_WRITE) != 0;
    key->remote_atomic = (access & IBV_ACCESS_REMOTE_ATOMIC) != 0;
    key->umem = umem;
    card_log(CARD_LOG_COMMANDS, "key %08x: 0x%lx bytes at 0x%lx, memory %u, access 0x%x", key->key, (unsigned long)length,
             (unsigned long)start, umem, access);
    return &key->object;
}

int
card_export_key(uint32_t number, uint32_t vhca, const uint8_t *access_key) {
    struct card_key *key = (struct card_key *)card_find_object(CARD_KIND_KEY, number);
    void *memory = key == NULL ? NULL : card_memory_at(key->umem, key->umem_offset);
    if (memory == NULL) {
        return ENOENT;
    }
    struct card_export export = {
        .process = getpid(),
        .key = key->key,
        .writable = key->local_write,
        .start = key->start,
        .length = key->length,
        .memory = (uintptr_t)memory,
    };
    memcpy(export.access_key, access_key, sizeof(export.access_key));
    return card_publish_export(&key->exports, vhca, number, &export);
}

void
card_free_key(struct mlx5dv_devx_obj *object) {
    struct card_key *key = (struct card_key *)object;
    card_withdraw_exports(&key->exports);
    card_release_export(key->source);
    free(key->entries);
    free(key);
}

static int
transfer_alias(const struct card_key *key, uint64_t address, uint64_t length, char *buffer, enum card_access access,
               int depth) {
    const struct card_export *source = key->source;
    if (!atomic_load(&source->alive)) {
        card_log(CARD_LOG_FAULTS, "key %08x: the exporter has destroyed its key", key->key);
        return MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR;
    }
    if (source->process == getpid()) {
        return transfer(source->key, address, length, buffer, access, depth + 1);
    }
    struct iovec here = {.iov_base = buffer, .iov_len = length};
    struct iovec there = {.iov_base = (void *)(uintptr_t)(source->memory + (address - key->start)), .iov_len = length};
    const ssize_t moved = writes(access) ? process_vm_writev(source->process, &here, 1, &there, 1, 0)
                                         : process_vm_readv(source->process, &here, 1, &there, 1, 0);
    if (moved < 0 || (uint64_t)moved != length) {
        card_log(CARD_LOG_FAULTS, "key %08x: process %d cannot be reached: %s", key->key, (int)source->process,
                 strerror(errno));
        return MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR;
    }
    return 0;
}

static int
transfer_entries(const struct card_key *key, uint64_t address, uint64_t length, char *buffer, enum card_access access,
                 int depth) {
    uint64_t skipped = address - key->start;
    for (uint32_t i = 0; i < key->entry_count && length > 0; i++) {
        const uint8_t *entry = key->entries + (size_t)i * CARD_KLM_BYTES;
        uint64_t bytes = card_bits(entry, CARD_KLM_LENGTH, 32);
        if (bytes == 0) {
            bytes = UINT64_C(1) << 32;
        }
        if (skipped >= bytes) {
            skipped -= bytes;
            continue;
        }
        const uint64_t part = bytes - skipped < length ? bytes - skipped : length;
        const int syndrome = transfer((uint32_t)card_bits(entry, CARD_KLM_KEY, 32),
                                      card_bits(entry, CARD_KLM_ADDRESS, 64) + skipped, part, buffer, access, depth + 1);
        if (syndrome != 0) {
            return syndrome;
        }
        buffer += part;
        length -= part;
        skipped = 0;
    }
    return length > 0 ? refusal(access) : 0;
}

static bool
permits(const struct card_key *key, enum card_access access) {
    switch (access) {
    case CARD_LOCAL_READ:
        return true;
    case CARD_LOCAL_WRITE:
        return key->local_write;
    case CARD_REMOTE_READ:
        return key->remote_read;
    case CARD_REMOTE_WRITE:
        return key->remote_write;
    case CARD_ATOMIC_READ:
    case CARD_ATOMIC_WRITE:
        return key->remote_atomic;
    }
    return false;
}

static int
transfer(uint32_t number, uint64_t address, uint64_t length, char *buffer, enum card_access access, int depth) {
    const struct card_key *key = depth > MAX_DEPTH ? NULL : find_key(number);
    if (key == NULL) {
        card_log(CARD_LOG_FAULTS, "there is no key %08x", number);
        return refusal(access);
    }
    if (address < key->start || length > key->length || address - key->start > key->length - length) {
        card_log(CARD_LOG_FAULTS, "0x%lx bytes at 0x%lx are not in key %08x, which has 0x%lx bytes at 0x%lx",
                 (unsigned long)length, (unsigned long)address, number, (unsigned long)key->length,
                 (unsigned long)key->start);
        return key->source == NULL ? refusal(access) : MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR;
    }
    if (key->entries != NULL) {
        return transfer_entries(key, address, length, buffer, access, depth);
    }
    if (!permits(key, access)) {
        card_log(CARD_LOG_FAULTS, "key %08x does not permit access %d", number, (int)access);
        return refusal(access);
    }
    if (key->source != NULL) {
        return transfer_alias(key, address, length, buffer, access, depth);
    }
    char *memory = card_memory_at(key->umem, key->umem_offset + (address - key->start));
    if (memory == NULL) {
        card_log(CARD_LOG_FAULTS, "key %08x has lost its memory %u", number, key->umem);
        return refusal(access);
    }
    if (writes(access)) {
        memcpy(memory, buffer, length);
    } else {
        memcpy(buffer, memory, length);
    }
    return 0;
}

int
card_transfer(uint32_t key, uint64_t address, uint64_t length, void *buffer, enum card_access access) {
    return length == 0 ? 0 : transfer(key, address, length, buffer, access, 0);
}

/* Sets the properties of a key that a request selects. */
static void
change_properties(struct card_key *key, uint64_t selected, const uint8_t *properties) {
    if (selected & MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN) {
        key->length = card_bits(properties, CARD_MKEY_LENGTH - CARD_MKEY_PROPERTIES, 64);
    }
    if (selected & MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR) {
        key->start = card_bits(properties, CARD_MKEY_START - CARD_MKEY_PROPERTIES, 64);
    }
    if (selected & MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY) {
        key->key = key->object.number << 8 | (uint32_t)card_bits(properties, CARD_MKEY_VARIANT - CARD_MKEY_PROPERTIES, 8);
    }
    if (selected & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE) {
        key->local_write = card_bits(properties, CARD_MKEY_LOCAL_WRITE - CARD_MKEY_PROPERTIES, 1);
    }
    if (selected & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ) {
        key->remote_read = card_bits(properties, CARD_MKEY_REMOTE_READ - CARD_MKEY_PROPERTIES, 1);
    }
    if (selected & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE) {
        key->remote_write = card_bits(properties, CARD_MKEY_REMOTE_WRITE - CARD_MKEY_PROPERTIES, 1);
    }
    if (selected & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_ATOMIC) {
        key->remote_atomic = card_bits(properties, CARD_MKEY_ATOMIC - CARD_MKEY_PROPERTIES, 1);
    }
}

/* Reads the new entries of a key, from the request or from memory. Returns 0 or a syndrome. */
static int
read_entries(uint8_t *entries, size_t entry_bytes, bool inlined, const uint8_t *request, size_t size) {
    const uint8_t *tail = request + CARD_CHANGE_ENTRIES_BYTE;
    const size_t tail_bytes = size - CARD_CHANGE_ENTRIES_BYTE;
    if (inlined) {
        if (tail_bytes < entry_bytes) {
            return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
        }
        memcpy(entries, tail, entry_bytes);
        return 0;
    }
    struct mlx5_wqe_data_seg place;
    if (tail_bytes < sizeof(place)) {
        return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    }
    memcpy(&place, tail, sizeof(place));
    return card_transfer(be32toh(place.lkey), be64toh(place.addr), entry_bytes, entries, CARD_LOCAL_READ);
}

int
card_change_key(uint32_t number, const uint8_t *request, size_t size) {
    struct card_key *key = find_key(number);
    if (key == NULL) {
        card_log(CARD_LOG_FAULTS, "there is no key %08x to be changed", number);
        return MLX5_CQE_SYNDROME_MW_BIND_ERR;
    }
    if (size < CARD_CHANGE_ENTRIES_BYTE) {
        card_log(CARD_LOG_FAULTS, "the request that changes key %08x has %zu bytes", number, size);
        return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    }
    struct mlx5_wqe_umr_ctrl_seg selection;
    memcpy(&selection, request + CARD_CHANGE_SELECTION_BYTE, sizeof(selection));
    const uint32_t count = be16toh(selection.klm_octowords);
    if (count > 0) {
        uint8_t *entries = calloc(count, CARD_KLM_BYTES);
        if (entries == NULL) {
            return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
        }
        const bool inlined = (selection.flags & MLX5_WQE_UMR_CTRL_FLAG_INLINE) != 0;
        const int syndrome = read_entries(entries, (size_t)count * CARD_KLM_BYTES, inlined, request, size);
        if (syndrome != 0) {
            card_log(CARD_LOG_FAULTS, "the entries of key %08x cannot be read", number);
            free(entries);
            return syndrome;
        }
        free(key->entries);
        key->entries = entries;
        key->entry_count = count;
    }
    change_properties(key, be64toh(selection.mkey_mask), request + CARD_CHANGE_PROPERTIES_BYTE);
    card_log(CARD_LOG_REQUESTS, "key %08x: changed to 0x%lx bytes at 0x%lx, %u entries", key->key,
             (unsigned long)key->length, (unsigned long)key->start, key->entry_count);
    return 0;
}
