/* SPDX-License-Identifier: Apache-2.0 */
#include "release_1_4.h"

#include <dlfcn.h>
#include <string.h>

#include "refuse.h"
#include "release_1_4_sdk.h"

/* The limit of all later releases for the devices of that time. Release 1.4 does not report one. */
#define MAX_BUF_SIZE ((uint64_t)2 * 1024 * 1024)
#define CAP_HW_OFFLOAD 1

enum {
    PROPERTY_PCI_ADDR = 2,
    PROPERTY_IPV4_ADDR = 3,
    PROPERTY_IPV6_ADDR = 4,
    PROPERTY_IFACE_NAME = 5,
    PROPERTY_IBDEV_NAME = 6,
    REMOTE_PROPERTY_VUID = 1,
    REMOTE_FILTER_ALL = 0,
};

struct release_1_4 sdk;

static doca_error_t
unsupported(void) {
    return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "This function came with DOCA 1.5");
}

/*
 * Devices
 */

static doca_error_t
get_ibdev_name(const struct doca_devinfo *devinfo, char *name, uint32_t size) {
    return sdk.devinfo_property_get(devinfo, PROPERTY_IBDEV_NAME, name, size);
}

static doca_error_t
get_iface_name(const struct doca_devinfo *devinfo, char *name, uint32_t size) {
    return sdk.devinfo_property_get(devinfo, PROPERTY_IFACE_NAME, name, size);
}

static doca_error_t
get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *address, uint32_t size) {
    return sdk.devinfo_property_get(devinfo, PROPERTY_IPV4_ADDR, address, size);
}

static doca_error_t
get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *address, uint32_t size) {
    return sdk.devinfo_property_get(devinfo, PROPERTY_IPV6_ADDR, address, size);
}

static doca_error_t
get_pci_addr(const struct doca_devinfo *devinfo, uint16_t *address) {
    return sdk.devinfo_property_get(devinfo, PROPERTY_PCI_ADDR, address, sizeof(*address));
}

static struct doca_devinfo *
as_devinfo(const struct doca_dev *dev) {
    struct doca_devinfo *devinfo;
    return sdk.dev_as_devinfo(dev, &devinfo) == DOCA_SUCCESS ? devinfo : NULL;
}

static doca_error_t
is_never_supported(const struct doca_devinfo *devinfo, uint8_t *supported) {
    (void)devinfo;
    *supported = 0;
    return DOCA_SUCCESS;
}

/* Stores whether the device has remote devices, as on a DPU. */
static doca_error_t
has_remotes(const struct doca_devinfo *devinfo, uint8_t *supported) {
    struct doca_dev *dev;
    struct doca_devinfo_rep **list;
    uint32_t count;
    const doca_error_t result = sdk.dev_open(devinfo, &dev);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    *supported = sdk.devinfo_remote_list_create(dev, REMOTE_FILTER_ALL, &list, &count) == DOCA_SUCCESS;
    if (*supported) {
        (void)sdk.devinfo_remote_list_destroy(list);
    }
    return sdk.dev_close(dev);
}

/* Memory crosses the PCI bus from a host to its DPU, some of whose devices have remote devices. */
static doca_error_t
is_dpu(const struct doca_devinfo *devinfo, uint8_t *supported) {
    (void)devinfo;
    struct doca_devinfo **list;
    uint32_t count;
    *supported = 0;
    const doca_error_t result = old.doca_devinfo_list_create(&list, &count);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    for (uint32_t i = 0; i < count && !*supported; i++) {
        (void)has_remotes(list[i], supported);
    }
    return old.doca_devinfo_list_destroy(list);
}

static doca_error_t
is_host(const struct doca_devinfo *devinfo, uint8_t *supported) {
    const doca_error_t result = is_dpu(devinfo, supported);
    *supported = !*supported;
    return result;
}

/*
 * Representors
 */

static struct doca_devinfo_rep *
rep_as_devinfo(struct doca_dev_rep *dev_rep) {
    struct doca_devinfo_rep *devinfo;
    return sdk.dev_remote_as_devinfo(dev_rep, &devinfo) == DOCA_SUCCESS ? devinfo : NULL;
}

static doca_error_t
rep_get_vuid(const struct doca_devinfo_rep *devinfo, char *vuid, uint32_t size) {
    return sdk.devinfo_remote_property_get(devinfo, REMOTE_PROPERTY_VUID, vuid, size);
}

/* Not known, but every representor of Java has an address. */
static doca_error_t
rep_get_pci_addr(const struct doca_devinfo_rep *devinfo, uint16_t *address) {
    (void)devinfo;
    *address = 0;
    return DOCA_SUCCESS;
}

/*
 * Memory maps and inventories
 */

static doca_error_t
mmap_create(const union doca_data *user_data, struct doca_mmap **mmap) {
    (void)user_data;
    return sdk.mmap_create(NAME, mmap);
}

static doca_error_t
mmap_import(
        const union doca_data *user_data, const void *export_desc, size_t len, struct doca_dev *dev, struct doca_mmap **mmap) {
    (void)user_data;
    return sdk.mmap_create_from_export(NAME, export_desc, len, dev, mmap);
}

static doca_error_t
inventory_create(
        const union doca_data *user_data, size_t num_elements, uint32_t extensions, struct doca_buf_inventory **inventory) {
    (void)user_data;
    return sdk.buf_inventory_create(NAME, num_elements, extensions, inventory);
}

/*
 * DMA
 */

static doca_error_t
job_get_supported(const struct doca_devinfo *devinfo, int job_type) {
    (void)job_type;
    uint32_t caps = 0;
    const doca_error_t result = sdk.dma_devinfo_caps_get(devinfo, &caps);
    return result == DOCA_SUCCESS && (caps & CAP_HW_OFFLOAD) == 0 ? DOCA_ERROR_NOT_SUPPORTED : result;
}

static doca_error_t
get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *size) {
    (void)devinfo;
    *size = MAX_BUF_SIZE;
    return DOCA_SUCCESS;
}

static doca_error_t
get_max_list_buf_num_elem(const struct doca_devinfo *devinfo, uint32_t *num_elem) {
    (void)devinfo;
    *num_elem = 1;
    return DOCA_SUCCESS;
}

static doca_error_t
ctx_dev_add(struct old_ctx *ctx, struct doca_dev *dev) {
    const doca_error_t result = release_1_4_check(dev);
    return result == DOCA_SUCCESS ? sdk.ctx_dev_add(ctx, dev) : result;
}

/*
 * Binding
 */

typedef void (*any_function)(void);

#define IMPLEMENTED(name, function) {"doca_" #name, (any_function)(function), NULL}
#define FORMERLY(name, former_name) {"doca_" #name, NULL, "doca_" #former_name}

/* The functions of 1.5 that release 1.4 does not have in this form. */
static const struct {
    const char *name;
    any_function implementation;
    const char *former_name;
} functions[] = {
        IMPLEMENTED(buf_get_data, buf_get_data),
        IMPLEMENTED(buf_get_data_len, buf_get_data_len),
        IMPLEMENTED(buf_get_head, buf_get_head),
        IMPLEMENTED(buf_get_len, buf_get_len),
        IMPLEMENTED(buf_get_refcount, buf_get_refcount),
        IMPLEMENTED(buf_inventory_buf_by_args, buf_by_args),
        IMPLEMENTED(buf_inventory_buf_dup, buf_dup),
        IMPLEMENTED(buf_inventory_create, inventory_create),
        IMPLEMENTED(buf_inventory_get_num_elements, unsupported),
        IMPLEMENTED(buf_inventory_get_num_free_elements, unsupported),
        IMPLEMENTED(buf_list_chain, unsupported),
        IMPLEMENTED(buf_list_is_first, unsupported),
        IMPLEMENTED(buf_list_is_last, unsupported),
        IMPLEMENTED(buf_list_last, unsupported),
        IMPLEMENTED(buf_list_next, unsupported),
        IMPLEMENTED(buf_list_num_elements, unsupported),
        IMPLEMENTED(buf_list_unchain, unsupported),
        IMPLEMENTED(buf_refcount_add, unsupported),
        IMPLEMENTED(buf_refcount_rm, buf_refcount_rm),
        IMPLEMENTED(buf_set_data, buf_set_data),
        IMPLEMENTED(ctx_dev_add, ctx_dev_add),
        IMPLEMENTED(ctx_workq_add, queue_attach),
        IMPLEMENTED(ctx_workq_rm, queue_detach),
        IMPLEMENTED(dev_as_devinfo, as_devinfo),
        IMPLEMENTED(dev_rep_as_devinfo, rep_as_devinfo),
        FORMERLY(dev_rep_close, dev_remote_close),
        FORMERLY(dev_rep_open, dev_remote_open),
        IMPLEMENTED(devinfo_get_ibdev_name, get_ibdev_name),
        IMPLEMENTED(devinfo_get_iface_name, get_iface_name),
        IMPLEMENTED(devinfo_get_ipv4_addr, get_ipv4_addr),
        IMPLEMENTED(devinfo_get_ipv6_addr, get_ipv6_addr),
        IMPLEMENTED(devinfo_get_is_hotplug_manager_supported, is_never_supported),
        IMPLEMENTED(devinfo_get_is_mmap_export_supported, is_host),
        IMPLEMENTED(devinfo_get_is_mmap_from_export_supported, is_dpu),
        IMPLEMENTED(devinfo_get_pci_addr, get_pci_addr),
        IMPLEMENTED(devinfo_rep_get_is_list_all_supported, has_remotes),
        IMPLEMENTED(devinfo_rep_get_is_list_net_supported, has_remotes),
        IMPLEMENTED(devinfo_rep_get_pci_addr, rep_get_pci_addr),
        IMPLEMENTED(devinfo_rep_get_pci_func_type, unsupported),
        IMPLEMENTED(devinfo_rep_get_vuid, rep_get_vuid),
        FORMERLY(devinfo_rep_list_create, devinfo_remote_list_create),
        FORMERLY(devinfo_rep_list_destroy, devinfo_remote_list_destroy),
        IMPLEMENTED(dma_get_max_buf_size, get_max_buf_size),
        IMPLEMENTED(dma_get_max_list_buf_num_elem, get_max_list_buf_num_elem),
        IMPLEMENTED(dma_job_get_supported, job_get_supported),
        FORMERLY(get_error_name, get_error_string),
        IMPLEMENTED(mmap_create, mmap_create),
        IMPLEMENTED(mmap_create_from_export, mmap_import),
        IMPLEMENTED(mmap_get_exported, unsupported),
        IMPLEMENTED(mmap_get_from_export, unsupported),
        IMPLEMENTED(mmap_get_max_num_devices, unsupported),
        IMPLEMENTED(mmap_get_num_bufs, unsupported),
        IMPLEMENTED(mmap_set_max_num_devices, unsupported),
        IMPLEMENTED(workq_create, queue_create),
        IMPLEMENTED(workq_destroy, queue_destroy),
        IMPLEMENTED(workq_event_handle_arm, queue_arm),
        IMPLEMENTED(workq_event_handle_clear, queue_clear),
        IMPLEMENTED(workq_get_event_handle, queue_get_event_handle),
        IMPLEMENTED(workq_progress_retrieve, queue_retrieve),
        IMPLEMENTED(workq_set_event_driven_enable, queue_enable_events),
        IMPLEMENTED(workq_submit, queue_submit),
};

void *
release_1_4_find(void *handle, const char *name) {
    for (size_t i = 0; sdk.is_bound && i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (strcmp(functions[i].name, name) == 0) {
            void *address;
            memcpy(&address, &functions[i].implementation, sizeof(address));
            return address != NULL ? address : dlsym(handle, functions[i].former_name);
        }
    }
    return dlsym(handle, name);
}

#define FIND(name, parameters) \
    address = dlsym(handle, "doca_" #name); \
    memcpy(&sdk.name, &address, sizeof(address)); \
    is_complete &= address != NULL;

bool
release_1_4_bind(const char *library, void *handle) {
    bool is_complete = true;
    void *address;
    if (strcmp(library, "common") == 0) {
        sdk.is_bound = dlsym(handle, "doca_devinfo_property_get") != NULL;
        if (sdk.is_bound) {
            COMMON_FUNCTIONS(FIND)
        }
    } else if (sdk.is_bound) {
        DMA_FUNCTIONS(FIND)
        FIND(dma_as_ctx, )
    }
    return is_complete;
}
