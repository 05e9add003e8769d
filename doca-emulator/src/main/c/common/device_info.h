/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Getters for properties of doca_devinfo and doca_devinfo_rep. All refuse invalid handles and buffers that are NULL
 * or too small, and log the reason under the name of the calling function.
 */
#ifndef DOCA_EMULATOR_DEVICE_INFO_H_
#define DOCA_EMULATOR_DEVICE_INFO_H_

#include <doca_dev.h>

#include "device_list.h"
#include "property.h"
#include "sdk_log.h"

struct doca_devinfo {
    struct function_info info;
};

struct doca_devinfo_rep {
    struct function_info info;
};

extern struct object_class devinfo_class;
extern struct object_class devinfo_rep_class;

/* Returns the function that the handle represents, or NULL if the handle is not live. */
const struct topology_function *devinfo_function(const struct doca_devinfo *devinfo, const char *caller);
const struct topology_function *devinfo_rep_function(const struct doca_devinfo_rep *devinfo_rep, const char *caller);

/* The function of the open device. */
const struct topology_function *device_function(const struct doca_dev *dev);

doca_error_t device_info_copy(const void *value, size_t value_size, void *out, size_t out_size, const char *caller);

doca_error_t device_info_is_equal_pci_addr(
        const struct topology_function *function, const char *pci_addr, uint8_t *is_equal, const char *caller);

/* Like GET_PROPERTY(), for a text or an array of bytes. As in the SDK, the buffer must have room for the longest possible one. */
#define COPY_PROPERTY(class, handle, value, out, out_size) \
    (IS_LIVE(class, (handle)) ? device_info_copy((value), sizeof(value), (out), (out_size), __func__) \
                              : DOCA_ERROR_INVALID_VALUE)

#endif /* DOCA_EMULATOR_DEVICE_INFO_H_ */
