/* SPDX-License-Identifier: Apache-2.0 */
/* The device functions that support sync events across the PCI bus. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_
#define DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_

#include <stdbool.h>

#include <doca_error.h>

#include "topology.h"

struct doca_sync_event;

/* Returns true for all functions of the DPU, and for functions of the host with representors on it. */
static inline bool
sync_event_crosses_pci(const struct topology_function *function) {
    return function->side == EMULATOR_ROLE_DPU || function->behind != NULL;
}

/*
 * Finds the value of an imported event. Returns INVALID_VALUE for a bad descriptor or an event that has ended,
 * NOT_SUPPORTED or NOT_PERMITTED if the two devices do not see each other, and the errors of event_value_open().
 */
doca_error_t sync_event_open_import(struct doca_sync_event *event);

#endif /* DOCA_EMULATOR_SYNC_EVENT_EXPORT_H_ */
