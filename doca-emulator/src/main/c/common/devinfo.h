/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCA_EMULATOR_DEVINFO_H_
#define DOCA_EMULATOR_DEVINFO_H_

#include <doca_dev.h>

/* Stores the identifier of the device, of up to DOCA_DEVINFO_VUID_SIZE bytes. Only release 1.4 has a function for it. */
doca_error_t devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid, uint32_t size);

#endif /* DOCA_EMULATOR_DEVINFO_H_ */
