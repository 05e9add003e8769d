/* SPDX-License-Identifier: Apache-2.0 */
#include "workq/1.x/common/pci_addr.h"

#include <stdio.h>

doca_error_t
pci_addr_parse(const char *text, struct doca_pci_bdf *pci_addr) {
    unsigned int bus;
    unsigned int device;
    unsigned int function;
    if (sscanf(text, "%*x:%x:%x.%x", &bus, &device, &function) != 3) {
        return DOCA_ERROR_UNKNOWN;
    }
    pci_addr->raw = 0;
    pci_addr->bus = bus & 0xff;
    pci_addr->device = device & 0x1f;
    pci_addr->function = function & 0x7;
    return DOCA_SUCCESS;
}
