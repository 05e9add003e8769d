/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "device.h"
#include "device_info.h"
#include "fork.h"
#include "sdk_log.h"

struct doca_dev {
    struct object object;
    struct doca_devinfo *devinfo;
    /*
     * Guarded by devices_lock. 0 once the device is closed; when not strict, objects may outlive the close.
     */
    uint32_t num_opens;
    struct doca_dev *next;
    /* The number of objects that use it. */
    uint32_t num_holders;
};

struct object_class devinfo_class = OBJECT_CLASS("devinfo", struct doca_devinfo);
static struct object_class dev_class = OBJECT_CLASS("device", struct doca_dev);

static struct device_lists devinfo_lists = {.info_class = &devinfo_class, .lock = PTHREAD_MUTEX_INITIALIZER};

/* Guards the list of open devices. */
static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_dev *open_devices;

GUARD_IN_FORKS(lists, &devinfo_lists.lock, NULL)
GUARD_IN_FORKS(devices, &devices_lock, NULL)

/*
 * Lists
 */

doca_error_t
doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs) {
    if (dev_list == NULL || nb_devs == NULL) {
        SDK_LOG_ERR("Invalid input: %s is NULL", dev_list == NULL ? "dev_list" : "nb_devs");
        return DOCA_ERROR_INVALID_VALUE;
    }
    const struct topology *topology;
    doca_error_t result = topology_get(&topology);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    const struct topology_function **functions = calloc(topology->num_functions + 1, sizeof(*functions));
    if (functions == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    uint32_t num_functions = 0;
    for (size_t i = 0; i < topology->num_functions; i++) {
        if (topology->functions[i].side == emulator_settings()->role) {
            functions[num_functions++] = &topology->functions[i];
        }
    }
    if (num_functions == 0) {
        SDK_LOG_ERR("No devices");
        result = DOCA_ERROR_NOT_FOUND;
    } else {
        struct function_info **handles;
        result = device_list_create(&devinfo_lists, functions, num_functions, &handles);
        if (result == DOCA_SUCCESS) {
            *dev_list = (struct doca_devinfo **)handles;
            *nb_devs = num_functions;
        }
    }
    free(functions);
    return result;
}

doca_error_t
doca_devinfo_destroy_list(struct doca_devinfo **dev_list) {
    return device_list_destroy(&devinfo_lists, (struct function_info **)dev_list);
}

/*
 * Open devices
 */

/* Adds a device that is not open yet to the list and returns it, or NULL. */
static struct doca_dev *
add_device(const struct topology_function *function) {
    struct doca_dev *dev = object_create(&dev_class);
    if (dev == NULL) {
        return NULL;
    }
    dev->devinfo = (struct doca_devinfo *)device_list_create_info(&devinfo_class, function);
    if (dev->devinfo == NULL) {
        object_destroy(&dev_class, dev);
        return NULL;
    }
    dev->next = open_devices;
    open_devices = dev;
    return dev;
}

static void
remove_device(struct doca_dev *dev) {
    struct doca_dev **link = &open_devices;
    while (*link != dev) {
        link = &(*link)->next;
    }
    *link = dev->next;
    dev->num_opens = 0;
    object_destroy(&devinfo_class, dev->devinfo);
    object_destroy(&dev_class, dev);
}

doca_error_t
doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev) {
    if (!IS_LIVE(devinfo_class, devinfo)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (dev == NULL) {
        SDK_LOG_ERR("Invalid input: dev is NULL");
        return DOCA_ERROR_INVALID_VALUE;
    }
    const struct topology_function *function = devinfo->info.function;
    pthread_mutex_lock(&devices_lock);
    struct doca_dev *opened = open_devices;
    while (opened != NULL && opened->devinfo->info.function != function) {
        opened = opened->next;
    }
    if (opened == NULL) {
        opened = add_device(function);
    }
    if (opened != NULL) {
        opened->num_opens++;
    }
    pthread_mutex_unlock(&devices_lock);
    if (opened == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    SDK_LOG_INFO("Device %p (%s, %s) was opened", (void *)opened, function->ibdev_name, function->pci_addr);
    *dev = opened;
    return DOCA_SUCCESS;
}

doca_error_t
doca_dev_close(struct doca_dev *dev) {
    if (dev == NULL) {
        return DOCA_SUCCESS;
    }
    if (!IS_LIVE(dev_class, dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = DOCA_SUCCESS;
    pthread_mutex_lock(&devices_lock);
    const uint32_t num_holders = __atomic_load_n(&dev->num_holders, __ATOMIC_ACQUIRE);
    if (dev->num_opens == 0) {
        /* Another thread has opened it in the meantime. */
        result = DOCA_ERROR_INVALID_VALUE;
    } else if (dev->num_opens > 1) {
        dev->num_opens--;
    } else if (num_holders > 0 && emulator_settings()->strict) {
        result = DOCA_ERROR_IN_USE;
    } else if (num_holders > 0) {
        /* The last object that uses the device frees it. */
        dev->num_opens = 0;
    } else {
        remove_device(dev);
    }
    pthread_mutex_unlock(&devices_lock);
    if (result == DOCA_SUCCESS) {
        SDK_LOG_INFO("Device %p was closed", (void *)dev);
    } else if (result == DOCA_ERROR_IN_USE) {
        SDK_LOG_ERR("Device %p: Failed to close: %u objects still work on it", (void *)dev, num_holders);
    }
    return result;
}

struct doca_devinfo *
doca_dev_as_devinfo(const struct doca_dev *dev) {
    return IS_LIVE(dev_class, dev) ? dev->devinfo : NULL;
}

bool
device_is_open(const struct doca_dev *dev) {
    return IS_LIVE(dev_class, dev);
}

bool
device_is_any_open(void) {
    pthread_mutex_lock(&devices_lock);
    const bool is_open = open_devices != NULL;
    pthread_mutex_unlock(&devices_lock);
    return is_open;
}

void
device_hold(struct doca_dev *dev) {
    __atomic_add_fetch(&dev->num_holders, 1, __ATOMIC_RELAXED);
}

void
device_release(struct doca_dev *dev) {
    pthread_mutex_lock(&devices_lock);
    if (__atomic_sub_fetch(&dev->num_holders, 1, __ATOMIC_RELEASE) == 0 && dev->num_opens == 0) {
        remove_device(dev);
    }
    pthread_mutex_unlock(&devices_lock);
}

const struct topology_function *
device_function(const struct doca_dev *dev) {
    return dev->devinfo->info.function;
}

const char *
device_vuid(const struct doca_dev *dev) {
    return device_function(dev)->vuid;
}

/* On Ethernet, each GID has two entries, the first one for version 1. */
enum gid_type
device_gid_type(const struct doca_dev *dev, uint32_t index) {
    const struct topology_function *function = device_function(dev);
    if (index >= function->gids.num_gids) {
        return GID_TYPE_EMPTY;
    }
    if (!function->ethernet) {
        return GID_TYPE_INFINIBAND;
    }
    return index % 2 == 0 ? GID_TYPE_ROCE_V1 : GID_TYPE_ROCE_V2;
}

const struct topology_function *
devinfo_function(const struct doca_devinfo *devinfo, const char *caller) {
    return object_is_live(&devinfo_class, devinfo, __FILE__, __LINE__, caller) ? devinfo->info.function : NULL;
}

const struct device_gids *
devinfo_gids(const struct doca_devinfo *devinfo) {
    return IS_LIVE(devinfo_class, devinfo) ? &devinfo->info.function->gids : NULL;
}

const struct dma_capabilities *
devinfo_dma_capabilities(const struct doca_devinfo *devinfo) {
    return IS_LIVE(devinfo_class, devinfo) ? &devinfo->info.function->dma : NULL;
}

const struct rdma_capabilities *
devinfo_rdma_capabilities(const struct doca_devinfo *devinfo) {
    return IS_LIVE(devinfo_class, devinfo) ? &devinfo->info.function->rdma : NULL;
}
