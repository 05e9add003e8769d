/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Getters for properties of doca_devinfo and doca_devinfo_rep. All refuse what is not there or too small, and say why
 * in the SDK log, in the name of the calling function.
 */
#ifndef DOCA_EMULATOR_DEVICE_INFO_H_
#define DOCA_EMULATOR_DEVICE_INFO_H_

#include <doca_dev.h>

#include "device_list.h"
#include "sdk_log.h"

/* Returns the function that the handle stands for, or NULL if it is not live. */
const struct topology_function *devinfo_function(const struct doca_devinfo *devinfo, const char *caller);
const struct topology_function *devinfo_rep_function(const struct doca_devinfo_rep *devinfo_rep, const char *caller);

/* The function that the open device is. */
const struct topology_function *device_function(const struct doca_dev *dev);

doca_error_t device_info_copy(const void *value, size_t value_size, void *out, size_t out_size, const char *caller);

doca_error_t device_info_is_equal_pci_addr(
        const struct topology_function *function, const char *pci_addr, uint8_t *is_equal, const char *caller);

/*
 * The whole of a function that reads one property of a device or representor: the value is looked at only when the
 * handle led to a function of the topology, and otherwise refused, which was logged when that was looked for.
 */

/* Copies a text or an array of bytes. As in the SDK there must be room for the longest possible one. */
#define COPY_PROPERTY(function, member, out, out_size) \
    ((function) == NULL ? DOCA_ERROR_INVALID_VALUE \
                        : device_info_copy((member), sizeof(member), (out), (out_size), __func__))

/* Stores a number where the caller wants it. */
#define STORE_PROPERTY(function, value, out) \
    ((function) == NULL ? DOCA_ERROR_INVALID_VALUE \
     : (out) == NULL    ? (SDK_LOG_ERR("Invalid input: " #out " is NULL"), DOCA_ERROR_INVALID_VALUE) \
                        : (*(out) = (value), DOCA_SUCCESS))

#endif /* DOCA_EMULATOR_DEVICE_INFO_H_ */
