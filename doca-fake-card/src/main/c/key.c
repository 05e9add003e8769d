/* SPDX-License-Identifier: Apache-2.0 */
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
