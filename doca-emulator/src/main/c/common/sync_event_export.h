/* SPDX-License-Identifier: Apache-2.0 */
/* The device functions that support sync events across the PCI bus. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_
#define DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_

#include <stdbool.h>

#include "topology.h"

/* Returns true for all functions of the DPU, and for functions of the host with representors on it. */
static inline bool
sync_event_crosses_pci(const struct topology_function *function) {
    return function->side == EMULATOR_ROLE_DPU || function->behind != NULL;
}

#endif /* DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_ */
