/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "address.h"
#include "device.h"
#include "region.h"

/* libibverbs.so.1: the functions that programs call, implemented with those of libmlx5.so.1. */

/* A program built with newer headers calls another function by this name, which calls the library's. */
#undef ibv_get_device_list
#undef ibv_query_port

struct ibv_device **
ibv_get_device_list(int *count) {
    return fake_card_get_device_list(count);
}

void
ibv_free_device_list(struct ibv_device **list) {
    fake_card_free_device_list(list);
}

const char *
ibv_get_device_name(struct ibv_device *device) {
    return device->name;
}

struct ibv_context *
ibv_open_device(struct ibv_device *device) {
    return fake_card_open_device(device);
}

int
ibv_close_device(struct ibv_context *context) {
    return fake_card_close_device(context);
}

struct ibv_pd *
ibv_alloc_pd(struct ibv_context *context) {
    return fake_card_alloc_pd(context);
}

int
ibv_dealloc_pd(struct ibv_pd *pd) {
    return fake_card_dealloc_pd(pd);
}

int
ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes) {
    return fake_card_query_device(context, attributes);
}

int
ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attributes) {
    if (port != 1) {
        return EINVAL;
    }
    return fake_card_query_port(context, (struct ibv_port_attr *)attributes);
}

int
ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid) {
    if (port != 1) {
        errno = EINVAL;
        return -1;
    }
    return fake_card_query_gid(context, index, gid);
}

struct ibv_ah *
ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attributes) {
    return fake_card_create_ah(pd, attributes);
}

int
ibv_destroy_ah(struct ibv_ah *handle) {
    return fake_card_destroy_ah(handle);
}

struct ibv_mr *
ibv_reg_mr_iova2(struct ibv_pd *pd, void *memory, size_t length, uint64_t start, unsigned int access) {
    return fake_card_reg_mr(pd, memory, length, start, access);
}

struct ibv_mr *
ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t start, int file, int access) {
    return fake_card_reg_dmabuf_mr(pd, offset, length, start, file, (unsigned int)access);
}

int
ibv_dereg_mr(struct ibv_mr *mr) {
    return fake_card_dereg_mr(mr);
}
