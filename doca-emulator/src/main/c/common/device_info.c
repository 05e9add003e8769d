/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "device_info.h"

doca_error_t
device_info_copy(const void *value, size_t value_size, void *out, size_t out_size, const char *caller) {
    if (out == NULL) {
        SDK_LOG_ERR("%s: Invalid input: the buffer is NULL", caller);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (out_size < value_size) {
        SDK_LOG_ERR("%s: Invalid input: the buffer has %zu bytes, %zu are needed", caller, out_size, value_size);
        return DOCA_ERROR_INVALID_VALUE;
    }
    memcpy(out, value, value_size);
    return DOCA_SUCCESS;
}

doca_error_t
device_info_is_equal_pci_addr(
        const struct topology_function *function, const char *pci_addr, uint8_t *is_equal, const char *caller) {
    char normalized[DOCA_DEVINFO_PCI_ADDR_SIZE];
    if (pci_addr == NULL || is_equal == NULL) {
        SDK_LOG_ERR("%s: Invalid input: %s is NULL", caller, pci_addr == NULL ? "the address" : "the result");
        return DOCA_ERROR_INVALID_VALUE;
    }
    const size_t len = strlen(pci_addr);
    if (len != DOCA_DEVINFO_PCI_BDF_SIZE - 1 && len != DOCA_DEVINFO_PCI_ADDR_SIZE - 1) {
        SDK_LOG_ERR("%s: Invalid input: \"%s\" is no PCI address", caller, pci_addr);
        return DOCA_ERROR_INVALID_VALUE;
    }
    /* The text has the right length and arbitrary content. */
    *is_equal = topology_normalize_pci_addr(pci_addr, normalized) && strcmp(normalized, function->pci_addr) == 0;
    return DOCA_SUCCESS;
}
