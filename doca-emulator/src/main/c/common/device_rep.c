/* SPDX-License-Identifier: Apache-2.0 */
/* Representors: a DPU's view of the functions of the host, and of its own sub-functions. */
#include <stdlib.h>

#include "device_info.h"
#include "fork.h"

struct doca_dev_rep {
    struct object object;
    struct doca_devinfo_rep *devinfo;
};

struct object_class devinfo_rep_class = OBJECT_CLASS("devinfo_rep", struct doca_devinfo_rep);
static struct object_class dev_rep_class = OBJECT_CLASS("device representor", struct doca_dev_rep);

static struct device_lists devinfo_rep_lists = {.info_class = &devinfo_rep_class, .lock = PTHREAD_MUTEX_INITIALIZER};

GUARD_IN_FORKS(lists, &devinfo_rep_lists.lock, NULL)

const struct topology_function *
devinfo_rep_function(const struct doca_devinfo_rep *devinfo_rep, const char *caller) {
    return object_is_live(&devinfo_rep_class, devinfo_rep, __FILE__, __LINE__, caller)
                   ? devinfo_rep->info.function
                   : NULL;
}

/*
 * Lists. The functions in a topology are network functions; none is emulated.
 */

static bool
manages_representors(const struct topology_function *function) {
    return function->side == EMULATOR_ROLE_DPU && function->type == DOCA_PCI_FUNC_TYPE_PF;
}

doca_error_t
doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo, uint8_t *filter_all_supported) {
    return GET_PROPERTY(devinfo_class, devinfo, manages_representors(devinfo->info.function), filter_all_supported);
}

doca_error_t
doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo, uint8_t *filter_net_supported) {
    return GET_PROPERTY(devinfo_class, devinfo, manages_representors(devinfo->info.function), filter_net_supported);
}

/* Appends the functions of a side that have a representor on the device. */
static void
add_represented(const struct topology *topology, const struct topology_function *manager, enum emulator_role side,
                const struct topology_function **functions, uint32_t *num_functions) {
    for (size_t i = 0; i < topology->num_functions; i++) {
        const struct topology_function *function = &topology->functions[i];
        if (function->side == side && function->behind == manager) {
            functions[(*num_functions)++] = function;
        }
    }
}

doca_error_t
doca_devinfo_rep_create_list(
        struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep, uint32_t *nb_devs_rep) {
    static const int net_and_emulated = DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED;
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (dev_list_rep == NULL || nb_devs_rep == NULL || (filter & ~net_and_emulated) != 0) {
        SDK_LOG_ERR("Invalid input: dev_list_rep %p, nb_devs_rep %p, filter %#x", (void *)dev_list_rep,
                    (void *)nb_devs_rep, (unsigned int)filter);
        return DOCA_ERROR_INVALID_VALUE;
    }
    const struct topology_function *manager = device_function(dev);
    if (!manages_representors(manager) || filter == DOCA_DEVINFO_REP_FILTER_EMULATED) {
        SDK_LOG_ERR("Device %p (%s) has no representors of this kind", (void *)dev, manager->ibdev_name);
        return DOCA_ERROR_NOT_SUPPORTED;
    }

    const struct topology *topology;
    doca_error_t result = topology_get(&topology);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    const struct topology_function **functions = calloc(topology->num_functions, sizeof(*functions));
    if (functions == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    uint32_t num_functions = 0;
    add_represented(topology, manager, EMULATOR_ROLE_HOST, functions, &num_functions);
    add_represented(topology, manager, EMULATOR_ROLE_DPU, functions, &num_functions);
    struct function_info **handles;
    result = device_list_create(&devinfo_rep_lists, functions, num_functions, &handles);
    if (result == DOCA_SUCCESS) {
        *dev_list_rep = (struct doca_devinfo_rep **)handles;
        *nb_devs_rep = num_functions;
    }
    free(functions);
    return result;
}

doca_error_t
doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep) {
    return device_list_destroy(&devinfo_rep_lists, (struct function_info **)dev_list_rep);
}

/*
 * Open representors
 */

doca_error_t
doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep) {
    const struct topology_function *function = devinfo_rep_function(devinfo, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (dev_rep == NULL) {
        SDK_LOG_ERR("Invalid input: dev_rep is NULL");
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_dev_rep *opened = object_create(&dev_rep_class);
    if (opened == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    opened->devinfo = (struct doca_devinfo_rep *)device_list_create_info(&devinfo_rep_class, function);
    if (opened->devinfo == NULL) {
        object_destroy(&dev_rep_class, opened);
        return DOCA_ERROR_NO_MEMORY;
    }
    *dev_rep = opened;
    return DOCA_SUCCESS;
}

doca_error_t
doca_dev_rep_close(struct doca_dev_rep *dev) {
    if (!IS_LIVE(dev_rep_class, dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    object_destroy(&devinfo_rep_class, dev->devinfo);
    object_destroy(&dev_rep_class, dev);
    return DOCA_SUCCESS;
}

struct doca_devinfo_rep *
doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep) {
    return IS_LIVE(dev_rep_class, dev_rep) ? dev_rep->devinfo : NULL;
}

/*
 * Properties
 */

doca_error_t
doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str) {
    return COPY_PROPERTY(devinfo_rep_class, devinfo_rep, devinfo_rep->info.function->pci_addr, pci_addr_str,
                         DOCA_DEVINFO_REP_PCI_ADDR_SIZE);
}

doca_error_t
doca_devinfo_rep_is_equal_pci_addr(
        const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal) {
    const struct topology_function *function = devinfo_rep_function(devinfo_rep, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return device_info_is_equal_pci_addr(function, pci_addr_str, is_equal, __func__);
}

doca_error_t
doca_devinfo_rep_get_vf_index(const struct doca_devinfo_rep *devinfo_rep, uint32_t *vf_index) {
    const struct topology_function *function = devinfo_rep_function(devinfo_rep, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (function->type != DOCA_PCI_FUNC_TYPE_VF) {
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return GET_PROPERTY(devinfo_rep_class, devinfo_rep, function->vf_index, vf_index);
}

doca_error_t
doca_devinfo_rep_get_sf_index(const struct doca_devinfo_rep *devinfo_rep, uint32_t *sf_index) {
    const struct topology_function *function = devinfo_rep_function(devinfo_rep, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (function->type != DOCA_PCI_FUNC_TYPE_SF) {
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return GET_PROPERTY(devinfo_rep_class, devinfo_rep, function->sf_index, sf_index);
}

#include <getters/devinfo_rep.h>
