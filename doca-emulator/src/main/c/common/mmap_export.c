/* SPDX-License-Identifier: Apache-2.0 */
/* Memory maps across processes: the export of a map, and maps created from an export. */
#include <stdlib.h>

#include "clock.h"
#include "device.h"
#include "device_info.h"
#include "export.h"
#include "faults.h"
#include "import.h"
#include "mmap_object.h"
#include "property.h"
#include "sdk_log.h"
#include "settings.h"

/* A copy takes a fraction of a millisecond, unless its process is suspended during it. */
#define DRAIN_TIMEOUT_S 5

struct mmap_export {
    struct mmap_export *next;
    const struct doca_dev *dev;
    enum share_kind kind;
    struct export *export;
};

/*
 * Capabilities
 */

/*
 * From 2.5 on, the host exports to the DPU, the DPU to the host, and each to other processes of its own side. Before, only the
 * host exports, and only the DPU imports, by the device of the same port.
 */
static bool
goes_to_dpu_only(void) {
    return emulator_release_is_at_most(EMULATOR_RELEASE_2_2);
}

static bool
exports_over_pci(const struct topology_function *function) {
    return !goes_to_dpu_only() || function->side == EMULATOR_ROLE_HOST;
}

static bool
imports_over_pci(const struct topology_function *function) {
    return !goes_to_dpu_only() || function->side == EMULATOR_ROLE_DPU;
}

doca_error_t
doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *mmap_export) {
    return GET_PROPERTY(devinfo_class, devinfo, exports_over_pci(devinfo->info.function), mmap_export);
}

doca_error_t
doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *from_export) {
    return GET_PROPERTY(devinfo_class, devinfo, imports_over_pci(devinfo->info.function), from_export);
}

/*
 * Export
 */

static doca_error_t
check_export(const struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
             const size_t *export_desc_len, uint32_t needed_access, const char *needed_name) {
    if (!IS_LIVE(mmap_class, mmap) || !device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (export_desc == NULL || export_desc_len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: no place for the descriptor", mmap);
    }
    if (mmap->import != NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to export: the mmap is from an export", mmap);
    }
    if (!mmap->started) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to export: the mmap is not started", mmap);
    }
    if ((mmap->permissions & needed_access) == 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to export: lacks any %s permission", mmap,
                          needed_name);
    }
    if (!mmap_has_device(mmap, dev)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_FOUND, "Mmap %p: Failed to export: device %p was not added", mmap, dev);
    }
    return DOCA_SUCCESS;
}

doca_error_t
mmap_end_exports(struct doca_mmap *mmap, const char *what) {
    const uint64_t deadline = clock_now() + DRAIN_TIMEOUT_S * NS_PER_S;
    process_id last_user = 0;
    for (const struct mmap_export *export = mmap->exports; export != NULL; export = export->next) {
        export_end(export->export);
    }
    for (struct mmap_export **link = &mmap->exports; *link != NULL;) {
        struct mmap_export *ended = *link;
        const process_id user = export_drain(ended->export, deadline);
        if (user != 0) {
            last_user = user;
            link = &ended->next;
        } else {
            *link = ended->next;
            export_destroy(ended->export);
            free(ended);
        }
    }
    return last_user == 0 ? DOCA_SUCCESS
                          : SDK_REFUSE(DOCA_ERROR_IN_USE,
                                       "Mmap %p: Failed to %s: process %d is still accessing exported memory %d s after "
                                       "the end of the export",
                                       mmap, what, (int)process_pid(last_user), DRAIN_TIMEOUT_S);
}

static struct mmap_export *
find_export(struct doca_mmap *mmap, const struct doca_dev *dev, enum share_kind kind) {
    struct mmap_export *found = mmap->exports;
    /* A forked child has the map, but the exported memory belongs to its parent. */
    if (found != NULL && export_is_inherited(found->export)) {
        (void)mmap_end_exports(mmap, "forget the exports of the parent");
        return NULL;
    }
    while (found != NULL && (found->dev != dev || found->kind != kind || export_has_ended(found->export))) {
        found = found->next;
    }
    return found;
}

static doca_error_t
add_export(struct doca_mmap *mmap, const struct doca_dev *dev, enum share_kind kind, struct mmap_export **export) {
    struct mmap_export *added = calloc(1, sizeof(*added));
    if (added == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result =
            export_create(kind, mmap->addr, mmap->len, mmap->permissions, device_function(dev), &added->export);
    if (result != DOCA_SUCCESS) {
        free(added);
        return result;
    }
    added->dev = dev;
    added->kind = kind;
    added->next = mmap->exports;
    mmap->exports = added;
    *export = added;
    SDK_LOG_INFO("Mmap %p: was exported to device %p", mmap, dev);
    return DOCA_SUCCESS;
}

static doca_error_t
get_export(struct doca_mmap *mmap, const struct doca_dev *dev, enum share_kind kind, const void **export_desc,
           size_t *export_desc_len) {
    struct mmap_export *export = find_export(mmap, dev, kind);
    if (export == NULL) {
        const doca_error_t result = add_export(mmap, dev, kind, &export);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    const struct share_descriptor *descriptor = export_descriptor(export->export);
    *export_desc = descriptor;
    *export_desc_len = descriptor->head.size;
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_export_pci(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len) {
    const doca_error_t result = check_export(mmap, dev, export_desc, export_desc_len, PCI_ACCESS, "PCI");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!exports_over_pci(device_function(dev))) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "Mmap %p: Failed to export: before DOCA 2.5, a DPU exports memory for RDMA only", mmap);
    }
    return get_export(mmap, dev, SHARE_KIND_PCI, export_desc, export_desc_len);
}

doca_error_t
doca_mmap_export_rdma(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len) {
    const doca_error_t result = check_export(mmap, dev, export_desc, export_desc_len, RDMA_ACCESS, "RDMA");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!device_function(dev)->rdma.supported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Mmap %p: Failed to export: device %p has no RDMA", mmap, dev);
    }
    return get_export(mmap, dev, SHARE_KIND_RDMA, export_desc, export_desc_len);
}

/*
 * Import
 */

/* Any process can be a remote host, whatever its side of the bus. */
static doca_error_t
check_rdma_import(const struct share_descriptor *descriptor, const struct doca_dev *dev) {
    if ((descriptor->terms.permissions & RDMA_ACCESS) == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Failed to import an mmap: the descriptor has no RDMA permission, but %#x",
                          descriptor->terms.permissions);
    }
    if (!device_function(dev)->rdma.supported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Failed to import an mmap: device %p has no RDMA", dev);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_import_device(const struct share_descriptor *descriptor, const struct doca_dev *dev) {
    if (descriptor->terms.kind == SHARE_KIND_RDMA) {
        return check_rdma_import(descriptor, dev);
    }
    if ((descriptor->terms.permissions & PCI_ACCESS) == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Failed to import an mmap: the descriptor has no PCI permission, but %#x",
                          descriptor->terms.permissions);
    }
    if (!imports_over_pci(device_function(dev))) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "Failed to import an mmap: before DOCA 2.5, a host imports memory that was exported for RDMA only");
    }
    return DOCA_SUCCESS;
}

/* Checks that the exporting function has its representor on the device. */
static doca_error_t
check_port(const struct import *import, const struct doca_dev *dev) {
    if (!goes_to_dpu_only() || import_terms(import)->kind != SHARE_KIND_PCI) {
        return DOCA_SUCCESS;
    }
    const struct topology_function *port = import_port(import);
    if (port == device_function(dev)->physical) {
        return DOCA_SUCCESS;
    }
    return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                      "Failed to import an mmap: before DOCA 2.5, the importing device must be of the port of the exporting "
                      "function, which is behind %s; device %p is of %s",
                      port == NULL ? "none" : port->ibdev_name, dev, device_function(dev)->physical->ibdev_name);
}

/* Creates a started map of the memory for the device. */
static doca_error_t
create_imported(struct import *import, struct doca_dev *dev, struct doca_mmap **mmap) {
    const doca_error_t result = doca_mmap_create(mmap);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct doca_mmap *created = *mmap;
    if (!mmap_append_device(created, dev)) {
        (void)doca_mmap_destroy(created);
        return DOCA_ERROR_NO_MEMORY;
    }
    const struct share_terms *terms = import_terms(import);
    /* An address in the other process, only a number here. */
    created->addr = (uint8_t *)(uintptr_t)terms->addr;
    created->len = terms->len;
    created->permissions = terms->permissions;
    created->write_permissions = DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    created->import = import;
    mmap_register(created);
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
                             struct doca_dev *dev, struct doca_mmap **mmap) {
    struct share_descriptor descriptor;
    struct import *import;
    struct doca_mmap *created;
    if (export_desc == NULL || export_desc_len == 0 || mmap == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: descriptor %p of %zu bytes, mmap %p", export_desc,
                          export_desc_len, mmap);
    }
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = import_read_descriptor(export_desc, export_desc_len, &descriptor);
    if (result == DOCA_SUCCESS) {
        result = check_import_device(&descriptor, dev);
    }
    if (result == DOCA_SUCCESS) {
        result = import_create(&descriptor, &import);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = check_port(import, dev);
    if (result != DOCA_SUCCESS) {
        import_destroy(import);
        return result;
    }
    if (!faults_take_registration()) {
        import_destroy(import);
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Failed to import an mmap: faults leave no registration");
    }
    result = create_imported(import, dev, &created);
    if (result != DOCA_SUCCESS) {
        faults_return_registration();
        import_destroy(import);
        return result;
    }
    if (user_data != NULL) {
        created->user_data = *user_data;
    }
    *mmap = created;
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

static bool
is_exported(const struct doca_mmap *mmap) {
    const struct mmap_export *export = mmap->exports;
    while (export != NULL && export_has_ended(export->export)) {
        export = export->next;
    }
    return export != NULL;
}

doca_error_t
doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported) {
    return GET_PROPERTY(mmap_class, mmap, is_exported(mmap), exported);
}
