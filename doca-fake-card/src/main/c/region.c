/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "key.h"
#include "log.h"
#include "object.h"
#include "region.h"

#define PAGE_BYTES 4096

/* Constant. */
struct card_region {
    struct ibv_mr mr;
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_obj *key;
    /* The mapping of a file; NULL if the memory is the program's. */
    void *mapping;
    size_t mapped_bytes;
};

/* Registers memory under a new key. Returns 0 or an errno. */
static int
register_memory(struct card_region *region, void *memory, size_t length, uint64_t start, unsigned int access) {
    struct mlx5dv_devx_umem_in in = {.addr = memory, .size = length, .access = access};
    region->umem = mlx5dv_devx_umem_reg_ex(region->mr.context, &in);
    if (region->umem == NULL) {
        return errno;
    }
    card_lock();
    region->key = card_create_region_key(region->umem->umem_id, length, start, access);
    if (region->key != NULL) {
        card_add_object(region->key);
        region->mr.lkey = ((const struct card_key *)region->key)->key;
        region->mr.rkey = region->mr.lkey;
    }
    card_unlock();
    if (region->key == NULL) {
        mlx5dv_devx_umem_dereg(region->umem);
        return ENOMEM;
    }
    return 0;
}

static struct card_region *
new_region(struct ibv_pd *pd, void *memory, size_t length) {
    struct card_region *region = calloc(1, sizeof(*region));
    if (region == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    region->mr.context = pd->context;
    region->mr.pd = pd;
    region->mr.addr = memory;
    region->mr.length = length;
    return region;
}

struct ibv_mr *
fake_card_reg_mr(struct ibv_pd *pd, void *memory, size_t length, uint64_t start, unsigned int access) {
    struct card_region *region = new_region(pd, memory, length);
    if (region == NULL) {
        return NULL;
    }
    const int error = register_memory(region, memory, length, start, access);
    if (error != 0) {
        free(region);
        errno = error;
        return NULL;
    }
    return &region->mr;
}

struct ibv_mr *
fake_card_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t start, int file, unsigned int access) {
    struct card_region *region = new_region(pd, NULL, length);
    if (region == NULL) {
        return NULL;
    }
    const size_t skipped = offset % PAGE_BYTES;
    region->mapped_bytes = skipped + length;
    region->mapping = mmap(NULL, region->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)(offset - skipped));
    if (region->mapping == MAP_FAILED) {
        const int error = errno;
        card_log(CARD_LOG_FAULTS, "the file %d cannot be mapped", file);
        free(region);
        errno = error;
        return NULL;
    }
    const int error = register_memory(region, (char *)region->mapping + skipped, length, start, access);
    if (error != 0) {
        munmap(region->mapping, region->mapped_bytes);
        free(region);
        errno = error;
        return NULL;
    }
    return &region->mr;
}

int
fake_card_dereg_mr(struct ibv_mr *mr) {
    struct card_region *region = (struct card_region *)mr;
    mlx5dv_devx_obj_destroy(region->key);
    mlx5dv_devx_umem_dereg(region->umem);
    if (region->mapping != NULL) {
        munmap(region->mapping, region->mapped_bytes);
    }
    free(region);
    return 0;
}
