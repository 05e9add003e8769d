/* SPDX-License-Identifier: Apache-2.0 */
#include "release_1_5.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>
#include <unistd.h>

#include "old_sdk.h"
#include "refuse.h"
#include "release_1_4.h"

#define RDMA_FLAGS \
    ((uint32_t)(DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC))
#define PCI_FLAGS ((uint32_t)(DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE))

/* The functions of release 1.5. Written by the thread that opens the SDK, before any other. */
static struct {
    doca_error_t (*mmap_create)(const union doca_data *user_data, struct doca_mmap **mmap);
    doca_error_t (*mmap_destroy)(struct doca_mmap *mmap);
    doca_error_t (*mmap_start)(struct doca_mmap *mmap);
    doca_error_t (*mmap_dev_add)(struct doca_mmap *mmap, struct doca_dev *dev);
    doca_error_t (*mmap_dev_rm)(struct doca_mmap *mmap, struct doca_dev *dev);
    doca_error_t (*mmap_populate)(
            struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb, void *opaque);
    doca_error_t (*mmap_export)(
            struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len);
    doca_error_t (*is_export_supported)(const struct doca_devinfo *devinfo, uint8_t *supported);
    doca_error_t (*is_from_export_supported)(const struct doca_devinfo *devinfo, uint8_t *supported);
    doca_error_t (*get_pci_addr)(const struct doca_devinfo *devinfo, uint16_t *address);
    doca_error_t (*rep_get_pci_addr)(const struct doca_devinfo_rep *devinfo_rep, uint16_t *address);
} release;

/*
 * Memory maps
 */

/*
 * The settings of a map, which release 1.5 needs later than 2.0. Guarded by the lock; a map belongs to one thread at a
 * time.
 */
struct map_settings {
    LIST_ENTRY(map_settings) link;
    struct doca_mmap *mmap;
    void *addr;
    size_t len;
    uint32_t permissions;
    doca_mmap_memrange_free_cb_t *free_cb;
    void *opaque;
    bool populated;
    /* Added when the map is started for the first time. */
    struct doca_dev **devs;
    uint32_t num_devs;
    /* The only export, and its device; or NULL. From 2.0 on the map owns its descriptors. */
    void *descriptor;
    size_t descriptor_len;
    const struct doca_dev *exporter;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LIST_HEAD(, map_settings) all = LIST_HEAD_INITIALIZER(all);

/* Returns NULL for a map of another process, which has no settings. */
static struct map_settings *
find(const struct doca_mmap *mmap) {
    pthread_mutex_lock(&lock);
    struct map_settings *settings;
    LIST_FOREACH(settings, &all, link) {
        if (settings->mmap == mmap) {
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return settings;
}

static doca_error_t
create(const union doca_data *user_data, struct doca_mmap **mmap) {
    struct map_settings *settings = calloc(1, sizeof(*settings));
    if (settings == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = release.mmap_create(user_data, mmap);
    if (result != DOCA_SUCCESS) {
        free(settings);
        return result;
    }
    settings->mmap = *mmap;
    settings->permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    pthread_mutex_lock(&lock);
    LIST_INSERT_HEAD(&all, settings, link);
    pthread_mutex_unlock(&lock);
    return DOCA_SUCCESS;
}

static doca_error_t
destroy(struct doca_mmap *mmap) {
    struct map_settings *settings = find(mmap);
    const doca_error_t result = release.mmap_destroy(mmap);
    if (result == DOCA_SUCCESS && settings != NULL) {
        pthread_mutex_lock(&lock);
        LIST_REMOVE(settings, link);
        pthread_mutex_unlock(&lock);
        free(settings->descriptor);
        free(settings->devs);
        free(settings);
    }
    return result;
}

static doca_error_t
check_changeable(const struct map_settings *settings) {
    return settings == NULL || settings->populated
                   ? REFUSE(DOCA_ERROR_BAD_STATE, "Mmap: Failed to change: was started, or is of another process")
                   : DOCA_SUCCESS;
}

/* Returns the index of a device, or the number of devices. */
static uint32_t
find_device(const struct map_settings *settings, const struct doca_dev *dev) {
    uint32_t index = 0;
    while (index < settings->num_devs && settings->devs[index] != dev) {
        index++;
    }
    return index;
}

/* Release 1.5 adds devices to started maps only. */
static doca_error_t
dev_add(struct doca_mmap *mmap, struct doca_dev *dev) {
    struct map_settings *settings = find(mmap);
    if (settings == NULL || settings->populated) {
        return release.mmap_dev_add(mmap, dev);
    }
    if (dev == NULL) {
        return REFUSE_NULL(dev);
    }
    if (find_device(settings, dev) < settings->num_devs) {
        return REFUSE(DOCA_ERROR_NO_MEMORY, "Mmap %p: Failed to add device %p: was added before", (void *)mmap, (void *)dev);
    }
    struct doca_dev **grown = realloc(settings->devs, (settings->num_devs + 1) * sizeof(struct doca_dev *));
    if (grown == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    settings->devs = grown;
    settings->devs[settings->num_devs++] = dev;
    return DOCA_SUCCESS;
}

static doca_error_t
dev_rm(struct doca_mmap *mmap, struct doca_dev *dev) {
    struct map_settings *settings = find(mmap);
    if (settings == NULL || settings->populated) {
        return release.mmap_dev_rm(mmap, dev);
    }
    const uint32_t index = find_device(settings, dev);
    if (index == settings->num_devs) {
        return REFUSE(DOCA_ERROR_NOT_FOUND, "Mmap %p: Failed to remove device %p: was not added", (void *)mmap, (void *)dev);
    }
    settings->devs[index] = settings->devs[--settings->num_devs];
    return DOCA_SUCCESS;
}

static doca_error_t
set_memrange(struct doca_mmap *mmap, void *addr, size_t len) {
    struct map_settings *settings = find(mmap);
    if (addr == NULL || len == 0) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: %zu bytes at %p", (void *)mmap, len, addr);
    }
    const doca_error_t result = check_changeable(settings);
    if (result == DOCA_SUCCESS) {
        settings->addr = addr;
        settings->len = len;
    }
    return result;
}

static doca_error_t
get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len) {
    const struct map_settings *settings = find(mmap);
    if (settings == NULL) {
        return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Mmap %p: the range of a map of another process can be read from DOCA 2.0 on",
                      (const void *)mmap);
    }
    if (settings->addr == NULL) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: no range was set", (const void *)mmap);
    }
    *addr = settings->addr;
    *len = settings->len;
    return DOCA_SUCCESS;
}

static doca_error_t
set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque) {
    struct map_settings *settings = find(mmap);
    const doca_error_t result = check_changeable(settings);
    if (result == DOCA_SUCCESS) {
        settings->free_cb = free_cb;
        settings->opaque = opaque;
    }
    return result;
}

/* Sets nothing: all maps are local and can be exported to a DPU. */
static doca_error_t
set_permissions(struct doca_mmap *mmap, uint32_t access_mask) {
    struct map_settings *settings = find(mmap);
    if ((access_mask & RDMA_FLAGS) != 0) {
        return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Mmap %p: RDMA came with DOCA 2.0", (void *)mmap);
    }
    if ((access_mask & ~(PCI_FLAGS | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE)) != 0) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: permissions %#x", (void *)mmap, access_mask);
    }
    const doca_error_t result = check_changeable(settings);
    if (result == DOCA_SUCCESS) {
        settings->permissions = access_mask;
    }
    return result;
}

/* Adds the devices and the memory to a map that was started for the first time. */
static doca_error_t
populate(struct map_settings *settings) {
    while (settings->num_devs > 0) {
        const doca_error_t result = release.mmap_dev_add(settings->mmap, settings->devs[settings->num_devs - 1]);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        settings->num_devs--;
    }
    const doca_error_t result = release.mmap_populate(settings->mmap, settings->addr, settings->len,
                                                      (size_t)sysconf(_SC_PAGESIZE), settings->free_cb, settings->opaque);
    settings->populated = result == DOCA_SUCCESS;
    return result;
}

static doca_error_t
start(struct doca_mmap *mmap) {
    struct map_settings *settings = find(mmap);
    if (settings != NULL && settings->addr == NULL) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to start: no range was set", (void *)mmap);
    }
    doca_error_t result = release.mmap_start(mmap);
    if (result == DOCA_SUCCESS && settings != NULL && !settings->populated) {
        result = populate(settings);
    }
    return result;
}

static doca_error_t
export_dpu(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len) {
    struct map_settings *settings = find(mmap);
    if (settings == NULL || (settings->permissions & PCI_FLAGS) == 0) {
        return REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to export: is not for that", (void *)mmap);
    }
    if (settings->descriptor == NULL || settings->exporter != dev) {
        /* A second export is refused. */
        const doca_error_t result = release.mmap_export(mmap, dev, &settings->descriptor, &settings->descriptor_len);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        settings->exporter = dev;
    }
    *export_desc = settings->descriptor;
    *export_desc_len = settings->descriptor_len;
    return DOCA_SUCCESS;
}

static doca_error_t
export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len) {
    (void)dev;
    (void)export_desc;
    (void)export_desc_len;
    return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Mmap %p: RDMA came with DOCA 2.0", (void *)mmap);
}

/*
 * PCI addresses: 8 bits of the bus, 5 of the device, 3 of the function
 */

/* The length of an address without its domain, and of the text before it. */
#define ADDRESS_LENGTH (sizeof("03:00.0") - 1)
#define DOMAIN_LENGTH (sizeof("0000:") - 1)

static void
print_address(uint16_t address, char *text) {
    sprintf(text, "0000:%02x:%02x.%u", address & 0xffU, address >> 8 & 0x1fU, (unsigned int)address >> 13);
}

/* As from 2.0 on, the domain may be omitted, and other text of these lengths is equal to no address. */
static doca_error_t
compare_address(uint16_t address, const char *text, uint8_t *is_equal) {
    const size_t length = text == NULL ? 0 : strlen(text);
    char own[DOMAIN_LENGTH + ADDRESS_LENGTH + 1];
    if (length != ADDRESS_LENGTH && length != DOMAIN_LENGTH + ADDRESS_LENGTH) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: \"%s\" is no PCI address", text == NULL ? "" : text);
    }
    print_address(address, own);
    *is_equal = strcasecmp(text, length == ADDRESS_LENGTH ? own + DOMAIN_LENGTH : own) == 0;
    return DOCA_SUCCESS;
}

static doca_error_t
get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str) {
    uint16_t address;
    const doca_error_t result = release.get_pci_addr(devinfo, &address);
    if (result == DOCA_SUCCESS) {
        print_address(address, pci_addr_str);
    }
    return result;
}

static doca_error_t
is_pci_addr_equal(const struct doca_devinfo *devinfo, const char *pci_addr_str, uint8_t *is_equal) {
    uint16_t address;
    const doca_error_t result = release.get_pci_addr(devinfo, &address);
    return result == DOCA_SUCCESS ? compare_address(address, pci_addr_str, is_equal) : result;
}

static doca_error_t
rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str) {
    uint16_t address;
    const doca_error_t result = release.rep_get_pci_addr(devinfo_rep, &address);
    if (result == DOCA_SUCCESS) {
        print_address(address, pci_addr_str);
    }
    return result;
}

static doca_error_t
rep_is_pci_addr_equal(const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal) {
    uint16_t address;
    const doca_error_t result = release.rep_get_pci_addr(devinfo_rep, &address);
    return result == DOCA_SUCCESS ? compare_address(address, pci_addr_str, is_equal) : result;
}

static doca_error_t
get_lid(const struct doca_devinfo *devinfo, uint16_t *lid) {
    (void)devinfo;
    (void)lid;
    return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "The LID of a device can be read from DOCA 2.0 on");
}

static doca_error_t
get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size) {
    (void)devinfo;
    (void)mac_addr;
    (void)size;
    return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "The MAC address of a device can be read from DOCA 2.0 on");
}

static doca_error_t
is_list_emulated_supported(const struct doca_devinfo *devinfo, uint8_t *emulated_supported) {
    (void)devinfo;
    *emulated_supported = 0;
    return DOCA_SUCCESS;
}

/*
 * Buffers
 */

static doca_error_t
is_in_list(const struct doca_buf *buf, uint8_t *answer) {
    bool is_first = true;
    bool is_last = true;
    doca_error_t result = old.doca_buf_list_is_first(buf, &is_first);
    if (result == DOCA_SUCCESS) {
        result = old.doca_buf_list_is_last(buf, &is_last);
    }
    *answer = !is_first || !is_last;
    return result;
}

static doca_error_t
reset_data_len(struct doca_buf *buf) {
    void *data;
    const doca_error_t result = old.doca_buf_get_data(buf, &data);
    return result == DOCA_SUCCESS ? old.doca_buf_set_data(buf, data, 0) : result;
}

/*
 * Binding
 */

/* Written by the thread that opens the SDK, before any other. */
static bool is_bound;

bool
release_1_5_is_bound(void) {
    return is_bound;
}

bool
release_1_5_is(void *common) {
    return dlsym(common, "doca_mmap_populate") != NULL && dlsym(common, "doca_mmap_set_memrange") == NULL;
}

#define FIND(field, name) \
    address = release_1_4_find(common, name); \
    memcpy(&release.field, &address, sizeof(address)); \
    is_complete &= address != NULL;

bool
release_1_5_bind(void *common) {
    bool is_complete = true;
    void *address;
    FIND(mmap_create, "doca_mmap_create")
    FIND(mmap_destroy, "doca_mmap_destroy")
    FIND(mmap_start, "doca_mmap_start")
    FIND(mmap_dev_add, "doca_mmap_dev_add")
    FIND(mmap_dev_rm, "doca_mmap_dev_rm")
    FIND(mmap_populate, "doca_mmap_populate")
    FIND(mmap_export, "doca_mmap_export")
    FIND(is_export_supported, "doca_devinfo_get_is_mmap_export_supported")
    FIND(is_from_export_supported, "doca_devinfo_get_is_mmap_from_export_supported")
    FIND(get_pci_addr, "doca_devinfo_get_pci_addr")
    FIND(rep_get_pci_addr, "doca_devinfo_rep_get_pci_addr")
    old.doca_mmap_create = create;
    old.doca_mmap_destroy = destroy;
    old.doca_mmap_start = start;
    old.doca_mmap_dev_add = dev_add;
    old.doca_mmap_dev_rm = dev_rm;
    old.doca_mmap_set_memrange = set_memrange;
    old.doca_mmap_get_memrange = get_memrange;
    old.doca_mmap_set_free_cb = set_free_cb;
    old.doca_mmap_set_permissions = set_permissions;
    old.doca_mmap_export_dpu = export_dpu;
    old.doca_mmap_export_rdma = export_rdma;
    old.doca_devinfo_get_is_mmap_export_dpu_supported = release.is_export_supported;
    old.doca_devinfo_get_is_mmap_from_export_dpu_supported = release.is_from_export_supported;
    old.doca_devinfo_get_pci_addr_str = get_pci_addr_str;
    old.doca_devinfo_get_is_pci_addr_equal = is_pci_addr_equal;
    old.doca_devinfo_rep_get_pci_addr_str = rep_get_pci_addr_str;
    old.doca_devinfo_rep_get_is_pci_addr_equal = rep_is_pci_addr_equal;
    old.doca_devinfo_get_lid = get_lid;
    old.doca_devinfo_get_mac_addr = get_mac_addr;
    old.doca_devinfo_rep_get_is_list_emulated_supported = is_list_emulated_supported;
    old.doca_buf_is_in_list = is_in_list;
    old.doca_buf_reset_data_len = reset_data_len;
    is_bound = is_complete;
    return is_complete;
}
