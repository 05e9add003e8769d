/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GID tables of devices.
 */
#include <string.h>

#include <doca_rdma.h>

#include "common/device.h"
#include "common/sdk_log.h"
#include "rdma/rdma.h"

doca_error_t
doca_rdma_cap_get_gid_table_size(const struct doca_devinfo *devinfo, uint32_t *gid_table_size) {
    if (devinfo_gids(devinfo) == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (gid_table_size == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: gid_table_size is NULL");
    }
    *gid_table_size = RDMA_GID_TABLE_SIZE;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries,
                      struct doca_rdma_gid *gid_array) {
    const struct device_gids *gids = devinfo_gids(devinfo);
    if (gids == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (gid_array == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: gid_array is NULL");
    }
    if (num_entries == 0 || start_index >= RDMA_GID_TABLE_SIZE || num_entries > RDMA_GID_TABLE_SIZE - start_index) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %u entries from index %u, the table has %d",
                          num_entries, start_index, RDMA_GID_TABLE_SIZE);
    }
    memset(gid_array, 0, num_entries * sizeof(gid_array[0]));
    for (uint32_t i = 0; i < num_entries && start_index + i < gids->num_gids; i++) {
        memcpy(gid_array[i].raw, gids->raw[start_index + i], sizeof(gid_array[i].raw));
    }
    return DOCA_SUCCESS;
}
