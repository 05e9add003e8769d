/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>

#include "log.h"
#include "memory.h"
#include "object.h"

/* Memory that the device may access. Guarded by card_lock(); constant. */
struct card_memory {
    struct mlx5dv_devx_obj object;
    struct mlx5dv_devx_umem umem;
    char *address;
    size_t size;
};

static struct card_memory *
memory_of(struct mlx5dv_devx_umem *umem) {
    return (struct card_memory *)((char *)umem - offsetof(struct card_memory, umem));
}

struct mlx5dv_devx_umem *
mlx5dv_devx_umem_reg_ex(struct ibv_context *context, struct mlx5dv_devx_umem_in *in) {
    (void)context;
    struct card_memory *memory = calloc(1, sizeof(*memory));
    if (memory == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    memory->object.kind = CARD_KIND_MEMORY;
    memory->address = in->addr;
    memory->size = in->size;
    card_lock();
    memory->object.number = card_new_number(CARD_KIND_MEMORY);
    memory->umem.umem_id = memory->object.number;
    card_add_object(&memory->object);
    card_unlock();
    card_log(CARD_LOG_COMMANDS, "memory %u: %zu bytes at %p, access 0x%x", memory->object.number, in->size, in->addr,
             in->access);
    return &memory->umem;
}

int
mlx5dv_devx_umem_dereg(struct mlx5dv_devx_umem *umem) {
    struct card_memory *memory = memory_of(umem);
    card_log(CARD_LOG_COMMANDS, "memory %u is released", memory->object.number);
    card_lock();
    card_remove_object(&memory->object);
    card_unlock();
    free(memory);
    return 0;
}

void *
card_memory_at(uint32_t umem, uint64_t offset) {
    struct card_memory *memory = (struct card_memory *)card_find_object(CARD_KIND_MEMORY, umem);
    return memory == NULL || offset > memory->size ? NULL : memory->address + offset;
}
