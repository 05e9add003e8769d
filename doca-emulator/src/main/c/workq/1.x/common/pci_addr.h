/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCA_EMULATOR_PCI_ADDR_H_
#define DOCA_EMULATOR_PCI_ADDR_H_

#include <doca_error.h>
#include <doca_types.h>

/* Parses an address such as "0000:03:00.1"; the structure has no member for the domain. */
doca_error_t pci_addr_parse(const char *text, struct doca_pci_bdf *pci_addr);

#endif /* DOCA_EMULATOR_PCI_ADDR_H_ */
