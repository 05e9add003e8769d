/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "address.h"
#include "device.h"
#include "log.h"
#include "network.h"
#include "object.h"
#include "peer.h"
#include "settings.h"

#define PAGE_BYTES 4096
/* The offset in a page of doorbells at which small requests are written. */
#define REGISTER_OFFSET 0x800

/* Written once, under card_lock(). */
static struct ibv_device functions[CARD_FUNCTIONS];

/* Constant. */
struct card_context {
    struct ibv_context context;
    int function;
};

struct card_pd {
    struct ibv_pd pd;
    uint32_t number;
};

static _Atomic uint32_t last_pd;
static _Atomic uint32_t last_doorbell_page;

int
card_function(struct ibv_context *context) {
    return ((struct card_context *)context)->function;
}

static void
describe(int function) {
    struct ibv_device *device = &functions[function];
    device->node_type = IBV_NODE_CA;
    device->transport_type = IBV_TRANSPORT_IB;
    snprintf(device->name, sizeof(device->name), "mlx5_%d", function);
    snprintf(device->dev_name, sizeof(device->dev_name), "uverbs%d", function);
    snprintf(device->dev_path, sizeof(device->dev_path), "/sys/class/infiniband_verbs/uverbs%d", function);
    snprintf(device->ibdev_path, sizeof(device->ibdev_path), "/sys/class/infiniband/mlx5_%d", function);
}

struct ibv_device **
fake_card_get_device_list(int *count) {
    const int there = card_settings()->functions;
    struct ibv_device **list = calloc((size_t)there + 1, sizeof(struct ibv_device *));
    if (list == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    card_lock();
    for (int i = 0; i < there; i++) {
        if (functions[i].name[0] == '\0') {
            describe(i);
        }
        list[i] = &functions[i];
    }
    card_unlock();
    if (count != NULL) {
        *count = there;
    }
    return list;
}

void
fake_card_free_device_list(struct ibv_device **list) {
    free(list);
}

static void
close_descriptors(const struct ibv_context *context) {
    if (context->cmd_fd >= 0) {
        close(context->cmd_fd);
    }
    if (context->async_fd >= 0) {
        close(context->async_fd);
    }
}

struct ibv_context *
fake_card_open_device(struct ibv_device *device) {
    struct card_context *opened = calloc(1, sizeof(*opened));
    if (opened == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    opened->function = (int)(device - functions);
    opened->context.device = device;
    opened->context.num_comp_vectors = 8;
    opened->context.cmd_fd = eventfd(0, EFD_CLOEXEC);
    opened->context.async_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (opened->context.cmd_fd < 0 || opened->context.async_fd < 0) {
        const int error = errno;
        close_descriptors(&opened->context);
        free(opened);
        errno = error;
        return NULL;
    }
    pthread_mutex_init(&opened->context.mutex, NULL);
    card_log(CARD_LOG_COMMANDS, "%s is opened", device->name);
    return &opened->context;
}

int
fake_card_close_device(struct ibv_context *context) {
    card_log(CARD_LOG_COMMANDS, "%s is closed", context->device->name);
    close_descriptors(context);
    pthread_mutex_destroy(&context->mutex);
    free(context);
    return 0;
}

struct ibv_pd *
fake_card_alloc_pd(struct ibv_context *context) {
    struct card_pd *allocated = calloc(1, sizeof(*allocated));
    if (allocated == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    allocated->pd.context = context;
    allocated->number = atomic_fetch_add(&last_pd, 1) + 1;
    return &allocated->pd;
}

int
fake_card_dealloc_pd(struct ibv_pd *pd) {
    free(pd);
    return 0;
}

int
fake_card_query_device(struct ibv_context *context, struct ibv_device_attr *attributes) {
    *attributes = (struct ibv_device_attr){
        .fw_ver = "32.39.2048",
        .node_guid = htobe64(CARD_FIRST_GUID + (uint64_t)card_function(context)),
        .sys_image_guid = htobe64(CARD_FIRST_GUID),
        .max_mr_size = UINT64_MAX,
        .page_size_cap = ~(uint64_t)(PAGE_BYTES - 1),
        .vendor_id = 0x2c9,
        .vendor_part_id = 41692,
        .hw_ver = 1,
        .max_qp = 1 << 17,
        .max_qp_wr = 1 << 15,
        .max_sge = 30,
        .max_cq = 1 << 24,
        .max_cqe = (1 << 22) - 1,
        .max_mr = 1 << 24,
        .max_pd = 1 << 23,
        .max_qp_rd_atom = 16,
        .max_res_rd_atom = 1 << 21,
        .max_qp_init_rd_atom = 16,
        .atomic_cap = IBV_ATOMIC_HCA,
        .max_srq = 1 << 20,
        .max_srq_wr = (1 << 15) - 1,
        .max_srq_sge = 31,
        .max_pkeys = 128,
        .local_ca_ack_delay = 16,
        .phys_port_cnt = 1,
    };
    return 0;
}

int
fake_card_query_port(struct ibv_context *context, struct ibv_port_attr *attributes) {
    (void)context;
    const bool infiniband = card_settings()->infiniband;
    const struct ibv_port_attr answer = {
        .state = IBV_PORT_ACTIVE,
        .max_mtu = IBV_MTU_4096,
        .active_mtu = (enum ibv_mtu)card_settings()->active_mtu,
        .gid_tbl_len = 255,
        .max_msg_sz = 1 << 30,
        .pkey_tbl_len = 1,
        .lid = infiniband ? 7 : 0,
        .sm_lid = infiniband ? 1 : 0,
        .active_width = 2,
        .active_speed = 32,
        .phys_state = 5,
        .link_layer = infiniband ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET,
    };
    memcpy(attributes, &answer, offsetof(struct ibv_port_attr, flags) + sizeof(answer.flags));
    return 0;
}

int
fake_card_query_gid(struct ibv_context *context, int index, union ibv_gid *gid) {
    card_gid(card_function(context), index, gid);
    return 0;
}

bool
mlx5dv_is_supported(struct ibv_device *device) {
    (void)device;
    return true;
}

int
mlx5dv_init_obj(struct mlx5dv_obj *objects, uint64_t kinds) {
    if ((kinds & ~(uint64_t)(MLX5DV_OBJ_PD | MLX5DV_OBJ_AH)) != 0) {
        return EOPNOTSUPP;
    }
    if (kinds & MLX5DV_OBJ_PD) {
        objects->pd.out->pdn = ((struct card_pd *)objects->pd.in)->number;
    }
    if (kinds & MLX5DV_OBJ_AH) {
        objects->ah.out->av = card_address_vector(objects->ah.in);
    }
    return 0;
}

struct ibv_context *
mlx5dv_open_device(struct ibv_device *device, struct mlx5dv_context_attr *attributes) {
    /* The flags request access by commands, which every context has. */
    (void)attributes;
    return fake_card_open_device(device);
}

int
mlx5dv_query_device(struct ibv_context *context, struct mlx5dv_context *attributes) {
    (void)context;
    /* The rest of the structure depends on the program's version, and none of it is known. */
    attributes->version = 0;
    attributes->flags = MLX5DV_CONTEXT_FLAGS_CQE_V1 | MLX5DV_CONTEXT_FLAGS_MPW_ALLOWED |
                        MLX5DV_CONTEXT_FLAGS_ENHANCED_MPW | MLX5DV_CONTEXT_FLAGS_CQE_128B_COMP |
                        MLX5DV_CONTEXT_FLAGS_CQE_128B_PAD;
    attributes->comp_mask = 0;
    return 0;
}

int
_mlx5dv_query_port(struct ibv_context *context, uint32_t port, struct mlx5dv_port *info, size_t info_size) {
    (void)port;
    card_lock();
    const uint16_t vhca = (uint16_t)card_vhca(card_function(context));
    card_unlock();
    const struct mlx5dv_port answer = {
        .flags =
            MLX5DV_QUERY_PORT_VPORT | MLX5DV_QUERY_PORT_VPORT_VHCA_ID | MLX5DV_QUERY_PORT_ESW_OWNER_VHCA_ID,
        .vport_vhca_id = vhca,
        .esw_owner_vhca_id = vhca,
    };
    memset(info, 0, info_size);
    memcpy(info, &answer, info_size < sizeof(answer) ? info_size : sizeof(answer));
    return 0;
}

struct mlx5dv_devx_uar *
mlx5dv_devx_alloc_uar(struct ibv_context *context, uint32_t flags) {
    (void)context;
    (void)flags;
    struct mlx5dv_devx_uar *page = calloc(1, sizeof(*page));
    void *memory = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == NULL || memory == MAP_FAILED) {
        if (memory != MAP_FAILED) {
            munmap(memory, PAGE_BYTES);
        }
        free(page);
        errno = ENOMEM;
        return NULL;
    }
    /* The card does not read this page: it polls the doorbells in the program's memory. */
    page->base_addr = memory;
    page->reg_addr = (char *)memory + REGISTER_OFFSET;
    page->page_id = atomic_fetch_add(&last_doorbell_page, 1) + 1;
    return page;
}

void
mlx5dv_devx_free_uar(struct mlx5dv_devx_uar *page) {
    munmap(page->base_addr, PAGE_BYTES);
    free(page);
}

int
mlx5dv_devx_query_eqn(struct ibv_context *context, uint32_t vector, uint32_t *queue) {
    (void)context;
    (void)vector;
    *queue = 7;
    return 0;
}
