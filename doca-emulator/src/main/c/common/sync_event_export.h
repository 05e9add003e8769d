/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions take part in sync events across the PCI bus.
 */
#ifndef DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_
#define DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_

#include <stdbool.h>

#include "topology.h"

/* All of the DPU, and those of the host that it has representors of. */
static inline bool
sync_event_crosses_pci(const struct topology_function *function) {
    return function->side == EMULATOR_ROLE_DPU || function->behind != NULL;
}

#endif /* DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_ */
