/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that take part in sync events across the PCI bus. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_
#define DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_

#include <stdbool.h>

#include "topology.h"

/* All functions of the DPU, and those of the host that have representors on it. */
static inline bool
sync_event_crosses_pci(const struct topology_function *function) {
    return function->side == EMULATOR_ROLE_DPU || function->behind != NULL;
}

#endif /* DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_ */
