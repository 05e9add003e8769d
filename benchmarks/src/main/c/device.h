/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_DEVICE_H_
#define BENCH_DEVICE_H_

#include <doca_dev.h>

/* Opens the device at the PCI address, or with NULL the first one that can copy by DMA. */
struct doca_dev *device_open(const char *pci_addr);

/* Opens the device of the environment variable DOCA_BENCH_PCI, or else the first one that can copy by DMA. */
struct doca_dev *device_open_chosen(void);

#endif /* BENCH_DEVICE_H_ */
